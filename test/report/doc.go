// Package report holds deliverylint's reports against the programs and schemas
// of those who read them: SARIF against its JSON schema and Microsoft's multitool,
// rdjson against reviewdog's own types.
package report
