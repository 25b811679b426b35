CREATE TABLE products (
    id    text PRIMARY KEY,
    name  text NOT NULL,
    cents bigint NOT NULL,
    stock bigint NOT NULL DEFAULT 0
);

CREATE TABLE orders (
    id               text PRIMARY KEY,
    product_id       text NOT NULL REFERENCES products (id),
    quantity         bigint NOT NULL,
    status           text NOT NULL,
    shipping         text NOT NULL DEFAULT '',
    shipping_version bigint NOT NULL DEFAULT 0
);

CREATE TABLE payments (
    id       text PRIMARY KEY,
    order_id text NOT NULL,
    cents    bigint NOT NULL,
    state    text NOT NULL
);

CREATE TABLE shipments (
    id         text PRIMARY KEY,
    order_id   text NOT NULL,
    carrier    text NOT NULL DEFAULT '',
    dispatched boolean NOT NULL DEFAULT false,
    chased     boolean NOT NULL DEFAULT false
);

-- What the relay publishes.
CREATE TABLE outbox (
    seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id      text NOT NULL UNIQUE,
    type    text NOT NULL,
    key     text NOT NULL,
    version bigint NOT NULL,
    data    jsonb NOT NULL
);

-- What the consumers have applied.
CREATE TABLE inbox (
    consumer   text NOT NULL,
    message_id text NOT NULL,
    PRIMARY KEY (consumer, message_id)
);
