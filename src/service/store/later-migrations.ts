/** Follow those of `migrations.ts`. */
export const laterMigrations: readonly string[] = [
  // What servers used, and when they started and stopped.
  `
  CREATE TABLE stats_buckets (
    server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
    step INTEGER NOT NULL,            -- its length in ms
    at INTEGER NOT NULL,              -- its beginning
    samples INTEGER NOT NULL,
    cpu REAL NOT NULL,                -- sums over its samples
    memory REAL NOT NULL,
    cpu_most REAL NOT NULL,
    memory_most REAL NOT NULL,
    players_most INTEGER NOT NULL,
    PRIMARY KEY (server_id, step, at)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE status_marks (
    seq INTEGER PRIMARY KEY,
    server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    status TEXT NOT NULL
  ) STRICT;
  CREATE INDEX status_marks_by_server ON status_marks(server_id, seq);
  ALTER TABLE servers ADD COLUMN ran INTEGER NOT NULL DEFAULT 1;
  `,
  // Sleep when nobody is on.
  `
  ALTER TABLE servers ADD COLUMN sleep TEXT NOT NULL DEFAULT 'null';  -- JSON: after how many minutes, who wakes it
  `,
  // Backups, and what is kept of them.
  `
  CREATE TABLE backups (
    id TEXT NOT NULL,
    server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
    engine TEXT NOT NULL,
    name TEXT,
    cause TEXT NOT NULL,              -- 'manual', 'schedule' or 'before-change'
    change TEXT,                      -- of the last: what was about to happen
    state TEXT NOT NULL,              -- 'waiting', 'running', 'done' or 'failed'
    created_at INTEGER NOT NULL,
    bytes INTEGER,
    added_bytes INTEGER,
    files INTEGER,
    locked INTEGER NOT NULL,
    unpaused INTEGER NOT NULL,
    tried TEXT,                       -- JSON, as the following
    missing TEXT NOT NULL,
    missing_count INTEGER NOT NULL,
    software TEXT,
    error TEXT,
    PRIMARY KEY (server_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE backup_settings (
    server_id TEXT PRIMARY KEY REFERENCES servers(id) ON DELETE CASCADE,
    engine TEXT NOT NULL,
    keep TEXT,                        -- JSON; NULL: as usual
    exclude TEXT NOT NULL             -- JSON
  ) STRICT, WITHOUT ROWID;
  `,
  // Rules, what they did, and of which rule an activity is.
  `
  CREATE TABLE schedules (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    rule TEXT NOT NULL,               -- JSON: when, only, steps, missed
    author TEXT NOT NULL,             -- the account that wrote it, which can end
    paused TEXT,                      -- JSON: why the service turned it off; NULL: it did not
    next_at INTEGER,                  -- NULL: off, or of an event
    planned_at INTEGER NOT NULL       -- the clock when that was computed
  ) STRICT;
  CREATE INDEX schedules_by_server ON schedules(server_id, seq);

  CREATE TABLE schedule_runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    schedule_id TEXT NOT NULL REFERENCES schedules(id) ON DELETE CASCADE,
    due INTEGER,                      -- NULL: an event or a person began it
    at INTEGER NOT NULL,
    seen INTEGER NOT NULL,            -- by the time that was seen passing: it ages by that
    ended_at INTEGER,
    cause TEXT NOT NULL,
    account TEXT,                     -- who ran it by hand
    result TEXT NOT NULL,
    missed INTEGER NOT NULL,
    error TEXT,                       -- JSON
    steps TEXT NOT NULL,              -- JSON
    UNIQUE (schedule_id, due)
  ) STRICT;
  CREATE INDEX schedule_runs_by_schedule ON schedule_runs(schedule_id, id);
  CREATE INDEX schedule_runs_by_age ON schedule_runs(seen);
  CREATE INDEX schedule_runs_open ON schedule_runs(result) WHERE result IN ('waiting', 'running');

  ALTER TABLE activity ADD COLUMN rule TEXT;  -- name of the rule that did it; NULL: none
  `,
  // Places for copies of backups, and which of them are there.
  `
  CREATE TABLE backup_targets (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    place TEXT NOT NULL,              -- JSON, without secrets
    created_at INTEGER NOT NULL,
    reached_at INTEGER,
    pruned_at INTEGER NOT NULL,
    error TEXT                        -- JSON: why it was not reached since
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE backup_copies (
    server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
    target_id TEXT NOT NULL REFERENCES backup_targets(id) ON DELETE CASCADE,
    backup_id TEXT NOT NULL,
    state TEXT NOT NULL,              -- 'there', 'failed', or 'unwanted': there, and to be removed
    error TEXT,                       -- JSON
    PRIMARY KEY (server_id, target_id, backup_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX backup_copies_by_target ON backup_copies(target_id);
  ALTER TABLE backup_settings ADD COLUMN targets TEXT NOT NULL DEFAULT '[]';  -- JSON: ids
  `,
  // Whether a backup is overdue that rules should have made.
  `
  CREATE TABLE overdue_backups (
    server_id TEXT PRIMARY KEY REFERENCES servers(id) ON DELETE CASCADE,
    rules TEXT NOT NULL,              -- their times: what is new counts from when it was seen
    since INTEGER NOT NULL,
    told INTEGER                      -- when it was; NULL: it is not overdue
  ) STRICT, WITHOUT ROWID;
  `,
  // What runs a server's program, and how many cores it may use there.
  `
  ALTER TABLE servers ADD COLUMN driver TEXT NOT NULL DEFAULT 'process';
  ALTER TABLE servers ADD COLUMN cpus REAL;
  `,
  // Several computers: where a server has to run, and whose the service is.
  `
  ALTER TABLE servers ADD COLUMN node TEXT;                                   -- its name; NULL: any
  ALTER TABLE accounts ADD COLUMN owns_service INTEGER NOT NULL DEFAULT 0;    -- the first that was made on its computer
  `,
  // The container that runs a server, where others made it.
  `
  ALTER TABLE servers ADD COLUMN container TEXT;                              -- its name; NULL: none
  `,
]
