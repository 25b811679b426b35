CREATE TABLE orders (
    id    text PRIMARY KEY,
    state text NOT NULL
);

CREATE TABLE accounts (
    id    text PRIMARY KEY,
    cents bigint NOT NULL
);

CREATE TABLE credits (
    id   text PRIMARY KEY,
    done boolean NOT NULL
);

CREATE TABLE processed (
    message_id text PRIMARY KEY
);

CREATE TABLE payments (
    id      text PRIMARY KEY,
    account text NOT NULL,
    cents   bigint NOT NULL
);

CREATE TABLE shipments (
    id      text PRIMARY KEY,
    status  text NOT NULL,
    version bigint NOT NULL
);

CREATE TABLE meters (
    id          text PRIMARY KEY,
    reading     bigint NOT NULL,
    measured_at timestamptz NOT NULL
);

CREATE TABLE parcels (
    id text PRIMARY KEY
);
