package catalog

// unverified lists the packages that the module proxy doesn't serve here, with
// what their entries rest on instead. It is the only such list.
func unverified() map[string]string {
	return map[string]string{
		"github.com/ThreeDotsLabs/watermill-bolt/pkg/bolt":           "its repository at e9e84d2d3f6a",
		"github.com/ThreeDotsLabs/watermill-firestore/pkg/firestore": "its repository at 23c0e67f86da",
		"github.com/contribsys/faktory/client":                       "its repository at cf9073fe168a",
		"github.com/contribsys/faktory_worker_go":                    "its repository at c5456eb8b224",
		"github.com/craigpastro/pgmq-go":                             "its repository at 4f450ae14041",
		"github.com/dtm-labs/client/dtmcli":                          "its repository at v1.17.3",
		"github.com/dtm-labs/client/dtmgrpc":                         "its repository at v1.17.3",
		"github.com/italolelis/outboxer":                             "its repository at 73a984850bdd",
		"github.com/micro/go-micro/broker":                           "its repository at v1.18.0",
		"github.com/micro/go-micro/v2":                               "its repository at v2.9.1",
		"github.com/micro/go-micro/v2/broker":                        "its repository at v2.9.1",
		"github.com/modernice/goes/command":                          "its repository at a195e9cc7c10",
		"github.com/modernice/goes/event":                            "its repository at a195e9cc7c10",
		"github.com/nikolayk812/pgx-outbox":                          "its repository at 90b363dd2ffe",
		"github.com/oagudo/outbox":                                   "its repository at f4d803590f73",
		"github.com/pkritiotis/outbox":                               "its repository at 81327d9a0b37",
		"github.com/rbaliyan/event/v3":                               "its repository at v3.1.0",
		"github.com/rbaliyan/event/v3/outbox":                        "its repository at v3.1.0",
		"github.com/vgarvardt/gue/v2":                                "its repository at v2.2.1",
		"github.com/vgarvardt/gue/v3":                                "its repository at v3.3.0",
		"github.com/vgarvardt/gue/v4":                                "its repository at v4.1.0",
		"github.com/vgarvardt/gue/v6":                                "its repository at v6.0.0",
		"go-micro.dev/v5":                                            "its repository at v5.30.0",
		"go-micro.dev/v5/broker":                                     "its repository at v5.30.0",
		"go-micro.dev/v5/events":                                     "its repository at v5.30.0",
		"go-micro.dev/v6":                                            "its repository at 77fc793d5bab",
		"go-micro.dev/v6/broker":                                     "its repository at 77fc793d5bab",
		"go-micro.dev/v6/events":                                     "its repository at 77fc793d5bab",
		"go.dataddo.com/pgq":                                         "its repository at 743bf06f3ff2",
	}
}
