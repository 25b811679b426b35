// Package report holds deliverylint's reports against the programs and schemas
// of those who read them: SARIF against its JSON schema and Microsoft's multitool;
// rdjson, SARIF and Checkstyle against reviewdog; JUnit against
// a reader of many tools' reports; and the schema of the settings against a validator.
package report
