-- Without the table every message that is delivered again is applied again.
DROP TABLE inbox;
