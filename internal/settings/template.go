package settings

// Template is a user's file to begin with: everything in it is a comment. Lines
// with one # are settings to be uncommented.
const Template = `## Settings of deliverylint. "deliverylint config check" tells what is wrong in this
## file, "deliverylint config print" what holds; "deliverylint config schema" writes a
## JSON Schema for editors.

## What your own functions mean, where the code can't tell.
# functions:
#   (example.com/shop/events.Bus).Publish: {kind: publish}
#   example.com/shop/metrics.Count: {kind: notify}

## What values are to a transaction or a broker.
# types:
#   example.com/shop/store.DB: {class: pool}

## The methods that a framework of yours calls with deliveries.
# handlers:
#   - {interface: example.com/shop/events.Handler, method: Handle, ack: return, on-error: redeliver}

## What holds events until a relay publishes them, and the IDs of what was handled.
# outbox:
#   tables: [outbox]
#   functions: [example.com/shop/outbox.Add]
# inbox:
#   tables: [inbox]

## Rules and categories: off, error or warning.
# rules:
#   publishoutsidetx/before-write: "off"

## What is not linted. ** stands for any folders.
# paths:
#   exclude: [internal/legacy, "**/gen"]
`
