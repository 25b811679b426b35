-- Messages that a consumer has applied. The primary key is what keeps the second
-- delivery out, also when both come at once.
CREATE TABLE inbox (
    consumer     varchar(128) NOT NULL,
    message_id   varchar(255) NOT NULL,
    processed_at timestamptz  NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, message_id)
);
CREATE INDEX inbox_processed ON inbox (processed_at);
