package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
)

// part is how errors name the plugin's part of .golangci.yml.
const part = "linters.settings.custom.deliverylint.settings"

// document is the plugin's part of .golangci.yml as the text of a .deliverylint.yml,
// in one line; nil if there is none.
func document(conf any) ([]byte, error) {
	if conf == nil {
		return nil, nil
	}
	given, ok := conf.(map[string]any)
	if !ok {
		return nil, errors.New(part + ": a mapping is wanted")
	}
	doc := maps.Clone(given)
	for _, key := range []string{"functions", "types"} {
		if doc[key] == nil {
			continue
		}
		entries, err := named(key, doc[key])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part, err)
		}
		doc[key] = entries
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", part, err)
	}
	return text, nil
}

// named turns a list of entries with names into a mapping.
func named(key string, value any) (map[string]any, error) {
	list, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("%s: a list of entries with a name is wanted, since golangci-lint changes keys: - {name: (example.com/shop/events.Bus).Publish, ...}", key)
	}
	out := map[string]any{}
	for _, item := range list {
		entry, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s: an entry that is no mapping", key)
		}
		name, ok := entry["name"].(string)
		if !ok || name == "" {
			return nil, fmt.Errorf("%s: an entry without a name", key)
		}
		if out[name] != nil {
			return nil, fmt.Errorf("%s: %s stands twice", key, name)
		}
		rest := maps.Clone(entry)
		delete(rest, "name")
		out[name] = rest
	}
	return out, nil
}
