-- Events that are stored with the change they tell of, and published later by the
-- relay. id, aggregatetype, aggregateid, type and payload are the columns that
-- Debezium's outbox event router reads.
CREATE TABLE outbox (
    position      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id            uuid         NOT NULL UNIQUE,
    aggregatetype varchar(255) NOT NULL,
    aggregateid   varchar(255) NOT NULL,
    type          varchar(255) NOT NULL,
    payload       bytea        NOT NULL,
    created_at    timestamptz  NOT NULL DEFAULT now(),
    published_at  timestamptz,
    attempts      integer      NOT NULL DEFAULT 0,
    retry_at      timestamptz
);

-- What waits, in order; it stays small however many published rows are kept.
CREATE INDEX outbox_waiting ON outbox (position) WHERE published_at IS NULL;
-- Keys whose first row the broker has refused.
CREATE INDEX outbox_refused ON outbox (aggregatetype, aggregateid) WHERE published_at IS NULL AND retry_at IS NOT NULL;
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;

-- One row: whoever has locked it is the relay that publishes.
CREATE TABLE outbox_relay (
    name varchar(32) PRIMARY KEY
);
INSERT INTO outbox_relay (name) VALUES ('relay');
