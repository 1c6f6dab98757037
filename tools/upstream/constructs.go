// This file lists the constructs of one version of ptoas.

package upstream

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ptogo/dialect/pto/history"
)

// Constructs are the constructs that a version has.
type Constructs struct {
	set map[history.Construct]bool
	// forms are the arguments and the text of the operations that have a declarative format.
	forms map[string]form
}

// form is how the text of an operation names its arguments.
type form struct {
	args   []string
	format string
}

// add adds a construct.
func (s *Constructs) add(c history.Construct) { s.set[c] = true }

// Reader reads the constructs of releases.
type Reader struct {
	// Dir is the checkout of ptoas.
	Dir string
	// TableGen is the program llvm-tblgen, and Include the folder with the definitions of
	// MLIR.
	TableGen, Include string
}

// record is the part of a TableGen record that describes a construct.
type record struct {
	Supers     []string `json:"!superclasses"`
	OpName     string   `json:"opName"`
	OpDialect  ref      `json:"opDialect"`
	Name       string   `json:"name"` // of a dialect
	Arguments  dag      `json:"arguments"`
	Results    dag      `json:"results"`
	Format     string   `json:"assemblyFormat"`
	Mnemonic   string   `json:"mnemonic"`
	Dialect    ref      `json:"dialect"`
	Str        string   `json:"str"`
	Enumerants []ref    `json:"enumerants"`
	Parameters dag      `json:"parameters"`
	Argument   string   `json:"argument"` // of a pass
}

// ref is a reference to another record.
type ref struct {
	Def string `json:"def"`
}

// dag is a list of named references.
type dag struct {
	Args [][2]json.RawMessage `json:"args"`
}

// dump is the JSON output of llvm-tblgen.
type dump struct {
	instances map[string][]string
	records   map[string]json.RawMessage
}

// Constructs returns the constructs of a release.
func (r *Reader) Constructs(rel Release) (*Constructs, error) {
	tmp, err := os.MkdirTemp("", "upstream")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	archive := exec.Command("sh", "-c", `git -C "$1" archive "$2" include tools | tar x -C "$3"`, "sh", r.Dir, rel.Commit, tmp)
	if out, err := archive.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", rel.Version, err, out)
	}
	set := &Constructs{map[history.Construct]bool{}, map[string]form{}}
	ops, err := r.dump(tmp, "include/PTO/IR/PTOOps.td")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rel.Version, err)
	}
	passes, err := r.dump(tmp, "include/PTO/Transforms/Passes.td")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rel.Version, err)
	}
	return set, errors.Join(ops.operations(set), ops.types(set), ops.attributes(set), passes.passes(set), flags(set, tmp))
}

// dump reads a TableGen file below the folder root.
func (r *Reader) dump(root, file string) (*dump, error) {
	cmd := exec.Command(r.TableGen, "--dump-json", "-I", r.Include, "-I", filepath.Join(root, "include"), filepath.Join(root, file))
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("llvm-tblgen: %w", err)
	}
	d := &dump{}
	if err := json.Unmarshal(out, &d.records); err != nil {
		return nil, err
	}
	return d, json.Unmarshal(d.records["!instanceof"], &d.instances)
}

// record returns a record by its name.
func (d *dump) record(name string) (record, error) {
	var r record
	return r, json.Unmarshal(d.records[name], &r)
}

// each calls visit for every record of a class.
func (d *dump) each(class string, visit func(r record) error) error {
	for _, name := range d.instances[class] {
		r, err := d.record(name)
		if err == nil {
			err = visit(r)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// optional are the classes of operands and attributes that a program may omit.
var optional = []string{"Optional", "Variadic", "OptionalAttr", "DefaultValuedAttr", "DefaultValuedOptionalAttr", "UnitAttr", "DefaultValuedStrAttr"}

// operations adds the operations with their operands, attributes and results.
func (d *dump) operations(set *Constructs) error {
	return d.each("Op", func(r record) error {
		dialect, err := d.record(r.OpDialect.Def)
		if err != nil || dialect.Name != "pto" {
			return err
		}
		op := "pto." + r.OpName
		set.add(history.Op(op))
		f := form{format: strings.Join(strings.Fields(r.Format), " ")}
		for i, arg := range slices.Concat(r.Arguments.Args, r.Results.Args) {
			var kind ref
			var name string
			if err := errors.Join(json.Unmarshal(arg[0], &kind), json.Unmarshal(arg[1], &name)); err != nil {
				return err
			}
			set.add(history.Arg(op, name))
			f.args = append(f.args, name)
			k, err := d.record(kind.Def)
			if err != nil {
				return err
			}
			if i < len(r.Arguments.Args) && kind.Def != "UnitAttr" && !slices.ContainsFunc(optional, func(c string) bool { return slices.Contains(k.Supers, c) }) {
				set.add(history.Must(op, name))
			}
		}
		if f.format != "" {
			set.forms[op] = f
		}
		return nil
	})
}

// types adds the types.
func (d *dump) types(set *Constructs) error {
	return d.each("TypeDef", func(r record) error {
		if dialect, err := d.record(r.Dialect.Def); err != nil || dialect.Name != "pto" {
			return err
		}
		if r.Mnemonic != "" {
			set.add(history.Type(r.Mnemonic))
		}
		return nil
	})
}

// attributes adds the attributes, and the words of those that are enumerations.
func (d *dump) attributes(set *Constructs) error {
	return d.each("AttrDef", func(r record) error {
		if dialect, err := d.record(r.Dialect.Def); err != nil || dialect.Name != "pto" || r.Mnemonic == "" {
			return err
		}
		set.add(history.Attr(r.Mnemonic))
		for _, p := range r.Parameters.Args {
			var kind ref
			if json.Unmarshal(p[0], &kind) != nil {
				continue // a parameter of a C++ type
			}
			parameter, err := d.record(kind.Def)
			if err != nil || !slices.Contains(parameter.Supers, "EnumParameter") && !slices.Contains(parameter.Supers, "EnumAttrInfo") {
				continue
			}
			cases, err := d.cases(kind.Def)
			if err != nil {
				return err
			}
			for _, word := range cases {
				set.add(history.Case(r.Mnemonic, word))
			}
		}
		return nil
	})
}

// enumOf is the field of a parameter that names its enumeration.
var enumOf = regexp.MustCompile(`stringify(\w+)\(`)

// cases returns the words of the enumeration to which a parameter of an attribute belongs.
func (d *dump) cases(parameter string) ([]string, error) {
	m := enumOf.FindSubmatch(d.records[parameter])
	if m == nil {
		return nil, nil
	}
	for _, name := range d.instances["EnumAttrInfo"] {
		var enum struct {
			record
			ClassName string `json:"className"`
		}
		if err := json.Unmarshal(d.records[name], &enum); err != nil {
			return nil, err
		}
		if enum.ClassName != string(m[1]) {
			continue
		}
		var words []string
		for _, e := range enum.Enumerants {
			r, err := d.record(e.Def)
			if err != nil {
				return nil, err
			}
			words = append(words, r.Str)
		}
		return words, nil
	}
	return nil, nil
}

// passes adds the passes.
func (d *dump) passes(set *Constructs) error {
	return d.each("PassBase", func(r record) error {
		if r.Argument != "" {
			set.add(history.Pass(r.Argument))
		}
		return nil
	})
}

// flagLine matches the declaration of an option of ptoas.
var flagLine = regexp.MustCompile(`(?s)cl::(?:opt|list)<[^;{]*?>\s+[\w:]+[({]\s*"([^"]+)"`)

// flags adds the options of ptoas, whose sources are below the folder root.
func flags(set *Constructs, root string) error {
	files, err := filepath.Glob(filepath.Join(root, "tools", "ptoas", "*"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if ext := filepath.Ext(f); ext != ".cpp" && ext != ".h" {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		for _, m := range flagLine.FindAllSubmatch(text, -1) {
			set.add(history.Flag(strings.TrimSpace(string(m[1]))))
		}
	}
	return nil
}
