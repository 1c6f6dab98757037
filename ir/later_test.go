package ir

import (
	"reflect"
	"sync"
	"testing"
)

// TestBecomeTakesAll checks that Def.become copies every exported field. A field that it
// omitted would be empty in all definitions that Dialect.Later declares.
func TestBecomeTakesAll(t *testing.T) {
	var from, to Def
	f := reflect.ValueOf(&from).Elem()
	for i := range f.NumField() {
		if !f.Type().Field(i).IsExported() {
			continue
		}
		setAny(f.Field(i))
	}
	to.become(&from)
	for i := range f.NumField() {
		if field := f.Type().Field(i); field.IsExported() && reflect.ValueOf(to).Field(i).IsZero() {
			t.Errorf("become leaves out %s", field.Name)
		}
	}
}

// setAny sets v to some value other than the zero value.
func setAny(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), func([]reflect.Value) []reflect.Value { return nil }))
	case reflect.Interface:
		v.Set(reflect.ValueOf(struct{ Meaning }{}))
	case reflect.Uint32:
		v.SetUint(1)
	default:
		v.SetInt(1)
	}
}

func TestLater(t *testing.T) {
	d := &Dialect{Name: "later"}
	made := 0
	def := d.Later("op", func(name string) *Def {
		made++
		return &Def{Name: "later." + name, Aliases: []string{"later.alias"}, Forms: []*Form{{}}}
	})
	other := d.Later("other", func(name string) *Def {
		made++
		return &Def{Name: "later." + name, Forms: []*Form{{}}}
	})
	Register(d)
	if made != 0 {
		t.Errorf("%d definitions were made before anybody asked", made)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if got := Lookup("later.op"); got != def || got.Name != "later.op" || got.Dialect() != d {
				t.Errorf("Lookup gives %v", got)
			}
		})
	}
	wait.Wait()
	if made != 1 {
		t.Errorf("one lookup made %d definitions", made)
	}
	if got := Lookup("later.alias"); got != def {
		t.Errorf("the alias gives %v", got)
	}
	if other.Made().Name != "later.other" || Lookup("later.none") != nil || len(d.All()) != 2 {
		t.Error("the other operation is not what was declared")
	}
	if made != 2 {
		t.Errorf("%d definitions were made in all", made)
	}
}
