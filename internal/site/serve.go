package site

import (
	"bytes"
	"net/http"
	"path"
	"strings"
	"time"
)

// types maps the extension of a file to its media type.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".json": "application/json",
	".svg": "image/svg+xml", ".npy": "application/octet-stream", ".gz": "application/octet-stream", ".txt": "text/plain; charset=utf-8",
}

// Handler returns a handler that serves the files of the site. It accepts only requests
// whose host is this machine. Otherwise a foreign website could reach the server through
// a domain name that it controls.
func (s Site) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(r.Host, ":")
		if host != "127.0.0.1" && host != "localhost" {
			http.Error(w, "this server answers on 127.0.0.1 only", http.StatusForbidden)
			return
		}
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		content, ok := s[name]
		if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", types[path.Ext(name)])
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache")
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	})
}
