-- Rows that were not published yet are events that are lost with the table.
DROP TABLE outbox_relay;
DROP TABLE outbox;
