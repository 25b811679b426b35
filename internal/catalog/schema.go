package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// schema is a JSON Schema, or a part of one.
type schema = map[string]any

// How full names look to a schema; the reader is more exact.
const (
	symbolPattern = `^(\(\*?[^ ()*]+\.[^ ()*./]+\)|[^ ()*]+)\.[^ ()*./]+$`
	typePattern   = `^\(?\*?[^ ()*]+\.[^ ()*./]+\)?$`
)

// Schema is the JSON Schema of a user's file for editors, made from the tables that
// it is read by. rules are the words for rules.
func Schema(rules []string) ([]byte, error) {
	properties := schema{}
	for _, s := range sections() {
		part := s.schema(rules)
		part["description"] = s.about
		properties[s.key] = part
	}
	doc := schema{
		"$schema":              "http://json-schema.org/draft-07/schema#",
		"title":                "Settings of deliverylint (.deliverylint.yml)",
		"type":                 []string{"object", "null"},
		"properties":           properties,
		"additionalProperties": false,
		"definitions":          schema{"function": functionSchema()},
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return nil, fmt.Errorf("encoding the schema: %w", err)
	}
	return buf.Bytes(), nil
}

func (s shape) schema() schema {
	index := schema{"type": "integer", "minimum": 0, "maximum": maxIndex}
	switch s.form {
	case formIndex:
		return index
	case formResult:
		return schema{"anyOf": []schema{index, {"const": "none"}}}
	case formHandle:
		return schema{"anyOf": []schema{index, {"enum": []string{"recv", "none"}}}}
	case formTruth:
		return schema{"type": "boolean"}
	case formWord:
		return schema{"enum": s.words}
	case formTexts:
		return listOf(schema{"type": "string", "minLength": 1})
	case formSymbols:
		return listOf(schema{"type": "string", "pattern": symbolPattern})
	}
	return schema{"type": "string", "minLength": 1}
}

func listOf(items schema) schema {
	return schema{"type": []string{"array", "null"}, "items": items}
}

// propertiesOf are the keys of a table.
func propertiesOf[T any](table []field[T]) schema {
	out := schema{}
	for _, f := range table {
		part := f.shape.schema()
		part["description"] = f.about
		out[f.key] = part
	}
	return out
}

func objectOf[T any](table []field[T]) schema {
	return schema{"type": []string{"object", "null"}, "properties": propertiesOf(table), "additionalProperties": false}
}

// functionSchema allows and wants what each kind does.
func functionSchema() schema {
	properties := propertiesOf(entryFields())
	properties["kind"] = schema{"enum": kinds(), "description": "What the function means."}
	var rules []schema
	for _, name := range kinds() {
		allowed := append([]string{"kind"}, keysOf(Kind(name))...)
		then := schema{"propertyNames": schema{"enum": allowed}}
		if needed := neededBy(Kind(name)); len(needed) > 0 {
			then["required"] = needed
		}
		rules = append(rules, schema{
			"if":   schema{"properties": schema{"kind": schema{"const": name}}, "required": []string{"kind"}},
			"then": then,
		})
	}
	return schema{
		"type": "object", "properties": properties, "required": []string{"kind"}, "additionalProperties": false,
		"dependencies": schema{"text": []string{"clause"}}, "allOf": rules,
	}
}

func functionsSchema([]string) schema {
	return schema{
		"type": []string{"object", "null"}, "propertyNames": schema{"pattern": symbolPattern},
		"additionalProperties": schema{"$ref": "#/definitions/function"},
	}
}

func typesSchema([]string) schema {
	one := objectOf(typeFields())
	one["type"], one["required"] = "object", []string{"class"}
	return schema{
		"type": []string{"object", "null"}, "propertyNames": schema{"pattern": typePattern}, "additionalProperties": one,
	}
}

func handlersSchema([]string) schema {
	one := objectOf(handlerFields())
	one["type"], one["required"] = "object", []string{"method"}
	one["anyOf"] = []schema{{"required": []string{"interface"}}, {"required": []string{"param"}}}
	return listOf(one)
}

func rulesSchema(rules []string) schema {
	return schema{
		"type": []string{"object", "null"}, "propertyNames": schema{"enum": rules},
		"additionalProperties": schema{"enum": ruleValues()},
	}
}
