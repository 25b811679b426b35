package effect

import "testing"

func TestLineageText(t *testing.T) {
	for _, text := range []string{"", "M", "MFSCX", " p1", "M p1.ID c4 m3:1 o2:1 f0", "{ID=F;Status=C p2}", "S c3{Note=M}", "M s0 p1"} {
		if got := parseLineage(text).text(); got != text {
			t.Errorf("%q comes back as %q", text, got)
		}
	}
}

func TestLineageField(t *testing.T) {
	o := parseLineage("S p1{ID=F;Note=M p2.Text}")
	for field, want := range map[string]string{"ID": "FS p1.ID", "Note": "MS p1.Note p2.Text", "Age": "S p1.Age"} {
		if got := o.Field(field).text(); got != want {
			t.Errorf("field %s is %q, not %q", field, got, want)
		}
	}
	if got := parseLineage("{ID=F}").Field("Age").text(); got != "C" {
		t.Errorf("a field that nothing is stored in is %q", got)
	}
	if got := o.flat().text(); got != "MFS p1 p2.Text" {
		t.Errorf("the whole is %q", got)
	}
}
