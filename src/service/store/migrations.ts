import { laterMigrations } from './later-migrations.ts'

/** Step n migrates from version n-1 to n. Append only: never change a released step. Times: ms since 1970. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    email TEXT UNIQUE,                -- NULL: the local owner
    name TEXT NOT NULL,
    password_hash TEXT,               -- NULL: no password signs in
    confirmed_at INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,            -- SHA-256 of the token; the token itself is nowhere
    account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tokens_by_account ON tokens(account_id);

  CREATE TABLE codes (
    account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
    purpose TEXT NOT NULL,            -- confirm, reset
    salt TEXT NOT NULL,
    hash TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    tries_left INTEGER NOT NULL,
    PRIMARY KEY (account_id, purpose)
  ) STRICT;

  CREATE TABLE servers (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    owner_id TEXT NOT NULL REFERENCES accounts(id),
    name TEXT NOT NULL,
    software_id TEXT NOT NULL,
    software_version TEXT NOT NULL,
    memory_mb INTEGER NOT NULL,
    port INTEGER NOT NULL UNIQUE,
    revision INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX servers_by_owner ON servers(owner_id, seq);
  `,
  // Codes by requester, and known addresses.
  `
  ALTER TABLE codes RENAME TO codes_before;
  CREATE TABLE codes (
    account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
    purpose TEXT NOT NULL,            -- confirm, reset
    asked_by TEXT NOT NULL,           -- HMAC of the address group it was asked from
    salt TEXT NOT NULL,
    hash TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    tries_left INTEGER NOT NULL,
    PRIMARY KEY (account_id, purpose, asked_by)
  ) STRICT;
  INSERT INTO codes SELECT account_id, purpose, '', salt, hash, expires_at, tries_left FROM codes_before;
  DROP TABLE codes_before;

  CREATE TABLE known_addresses (
    account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
    address TEXT NOT NULL,            -- HMAC of the address group; the address itself is nowhere
    PRIMARY KEY (account_id, address)
  ) STRICT;

  CREATE INDEX unconfirmed_accounts ON accounts(created_at) WHERE confirmed_at IS NULL;
  `,
  // Players seen, sessions, logs read, and temporary bans.
  `
  CREATE TABLE players_seen (
    server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
    name TEXT NOT NULL COLLATE NOCASE,
    uuid TEXT,                        -- NULL: nobody said
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    PRIMARY KEY (server_id, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX players_seen_by_age ON players_seen(server_id, last_seen);

  CREATE TABLE player_sessions (
    server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
    name TEXT NOT NULL COLLATE NOCASE,
    joined_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,         -- when it ended, or until when it is known to have lasted
    open INTEGER NOT NULL,            -- 1: it lasts
    PRIMARY KEY (server_id, name, joined_at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX player_sessions_by_time ON player_sessions(server_id, joined_at, name);
  CREATE INDEX open_player_sessions ON player_sessions(server_id) WHERE open = 1;

  CREATE TABLE player_logs (
    server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
    file TEXT NOT NULL,
    mark TEXT NOT NULL,               -- what tells this content of the file from another
    PRIMARY KEY (server_id, file)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE timed_bans (
    server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
    uuid TEXT NOT NULL,
    name TEXT NOT NULL,
    created TEXT NOT NULL,            -- as the server's own list has it, to tell this ban from a later one
    ends_at INTEGER NOT NULL,
    PRIMARY KEY (server_id, uuid)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX timed_bans_by_end ON timed_bans(ends_at);
  `,
  `
  CREATE TABLE members (
    server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
    scopes TEXT NOT NULL,             -- separated by spaces
    since INTEGER NOT NULL,
    PRIMARY KEY (server_id, account_id)
  ) STRICT;
  CREATE INDEX members_by_account ON members(account_id);

  CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    scopes TEXT NOT NULL,             -- separated by spaces
    invited_by TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    UNIQUE (server_id, email)
  ) STRICT;
  CREATE INDEX invitations_by_email ON invitations(email);
  `,
  `
  CREATE TABLE second_factors (
    account_id TEXT PRIMARY KEY REFERENCES accounts(id) ON DELETE CASCADE,
    secret TEXT NOT NULL,             -- base32, as it is: codes are made of it
    begun_at INTEGER NOT NULL,
    turned_on_at INTEGER,             -- NULL: begun, and asked for nowhere yet
    last_counter INTEGER              -- of the last code that was taken
  ) STRICT;

  CREATE TABLE recovery_codes (
    account_id TEXT NOT NULL REFERENCES second_factors(account_id) ON DELETE CASCADE,
    hash TEXT NOT NULL,               -- SHA-256 of the code, whose 80 bits are random
    PRIMARY KEY (account_id, hash)
  ) STRICT;
  `,
  // Sessions with device and address, and the language of mails.
  `
  ALTER TABLE tokens ADD COLUMN session_id TEXT NOT NULL DEFAULT '';
  ALTER TABLE tokens ADD COLUMN device TEXT;        -- as it calls itself; NULL: not used yet
  ALTER TABLE tokens ADD COLUMN address TEXT;
  ALTER TABLE tokens ADD COLUMN used_at INTEGER;
  UPDATE tokens SET session_id = lower(hex(randomblob(12)));
  ALTER TABLE accounts ADD COLUMN language TEXT;    -- NULL: nobody has said
  `,
  // Activity. Servers by number instead of reference: rows of deleted servers are removed in steps.
  `
  CREATE TABLE activity (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    server INTEGER NOT NULL,          -- servers.seq, which is never given twice
    at INTEGER NOT NULL,
    seen INTEGER NOT NULL,            -- by the time that was seen passing: it ages by that
    actor TEXT NOT NULL,              -- an account; '': the service by itself
    area TEXT NOT NULL,
    action TEXT NOT NULL,
    kind TEXT,                        -- of what it is about; NULL: nothing is told
    targets TEXT,                     -- JSON, the first of them
    count INTEGER NOT NULL,           -- how many there were
    times INTEGER NOT NULL,
    result TEXT NOT NULL,
    reason TEXT,
    address TEXT
  ) STRICT;
  CREATE INDEX activity_by_time ON activity(server, at);
  CREATE INDEX activity_by_actor ON activity(server, actor, at);
  CREATE INDEX activity_by_area ON activity(server, area, at);
  CREATE INDEX activity_by_actor_and_area ON activity(server, actor, area, at);

  -- Named as they were when they did something last: accounts end, and logs do not.
  CREATE TABLE activity_people (
    server INTEGER NOT NULL,
    actor TEXT NOT NULL,
    name TEXT NOT NULL,
    entries INTEGER NOT NULL,
    PRIMARY KEY (server, actor)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE notifications (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    server_id TEXT REFERENCES servers(id) ON DELETE CASCADE,
    invitation_id TEXT,               -- of an invitation, which goes when it is answered or taken back
    said TEXT NOT NULL,               -- JSON: what its sentence is made of
    created_at INTEGER NOT NULL,
    ages_from INTEGER NOT NULL,       -- by the time that was seen passing
    read_at INTEGER
  ) STRICT;
  CREATE INDEX notifications_by_account ON notifications(account_id, seq);
  CREATE INDEX notifications_by_server ON notifications(server_id);
  CREATE INDEX notifications_by_age ON notifications(ages_from);

  CREATE TABLE notification_settings (
    account_id TEXT PRIMARY KEY REFERENCES accounts(id) ON DELETE CASCADE,
    settings TEXT NOT NULL            -- JSON
  ) STRICT;

  -- That they are nearly full was told already; gone when there is room again.
  CREATE TABLE nearly_full (
    server_id TEXT UNIQUE REFERENCES servers(id) ON DELETE CASCADE  -- NULL: the disk
  ) STRICT;
  `,
  `
  CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,            -- who it is there, for ever; an email is not
    account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
    linked_at INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject),
    UNIQUE (account_id, issuer)
  ) STRICT;
  `,
  `
  CREATE TABLE promocodes (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,        -- SHA-256 of the code; the code itself is nowhere
    name TEXT NOT NULL,
    servers INTEGER NOT NULL,
    memory_mb INTEGER NOT NULL,
    disk_bytes INTEGER NOT NULL,
    lasts_ms INTEGER,                 -- NULL: its benefits last for ever
    uses_most INTEGER NOT NULL,
    expires_at INTEGER,               -- NULL: it can be activated for ever
    revoked_at INTEGER,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE promotions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    promocode_id TEXT NOT NULL REFERENCES promocodes(id),
    account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
    servers INTEGER NOT NULL,
    memory_mb INTEGER NOT NULL,
    disk_bytes INTEGER NOT NULL,
    activated_at INTEGER NOT NULL,
    ends_at INTEGER,                  -- NULL: never
    UNIQUE (promocode_id, account_id)
  ) STRICT;
  CREATE INDEX promotions_by_account ON promotions(account_id, seq);
  `,
  // Addresses known before the first sign-in.
  `
  ALTER TABLE known_addresses ADD COLUMN signed_in INTEGER NOT NULL DEFAULT 1;
  `,
  `
  ALTER TABLE identities ADD COLUMN email TEXT;  -- as the provider told it then; NULL: linked before it was kept
  `,
  `
  ALTER TABLE promotions ADD COLUMN end_told INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX promotions_ending ON promotions(ends_at) WHERE end_told = 0 AND ends_at IS NOT NULL;
  `,
  `
  ALTER TABLE servers ADD COLUMN license_accepted_by TEXT;  -- the account; NULL: nobody did
  ALTER TABLE servers ADD COLUMN license_accepted_at INTEGER;
  `,
  // Java settings and automatic start.
  `
  ALTER TABLE servers ADD COLUMN java_major INTEGER;  -- NULL: the one its version asks for
  ALTER TABLE servers ADD COLUMN jvm_set TEXT NOT NULL DEFAULT 'default';
  ALTER TABLE servers ADD COLUMN java_args TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE servers ADD COLUMN auto_start INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE servers ADD COLUMN auto_restart INTEGER NOT NULL DEFAULT 0;
  `,
  // Who can connect, and from where players joined.
  `
  ALTER TABLE servers ADD COLUMN open_to TEXT;  -- 'computer' or 'network'; NULL: as the service is reached itself
  CREATE TABLE joined_from (
    server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
    kind TEXT NOT NULL,               -- 'computer', 'network' or 'internet'
    at INTEGER NOT NULL,
    PRIMARY KEY (server_id, kind)
  ) STRICT, WITHOUT ROWID;
  `,
  ...laterMigrations,
]
