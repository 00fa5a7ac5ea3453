/** Append only: released version numbers keep their meaning. No column contains a token or a header. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE connections (
    id TEXT PRIMARY KEY,
    record TEXT NOT NULL
  ) STRICT;

  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;

  CREATE TABLE views (
    key TEXT PRIMARY KEY,
    connection_id TEXT NOT NULL,
    server_id TEXT,
    as_of TEXT NOT NULL,
    value TEXT NOT NULL
  ) STRICT;
  CREATE INDEX views_by_connection ON views (connection_id, server_id);

  CREATE TABLE commands (
    id INTEGER PRIMARY KEY,
    connection_id TEXT NOT NULL,
    server_id TEXT NOT NULL,
    command TEXT NOT NULL
  ) STRICT;
  CREATE INDEX commands_by_server ON commands (connection_id, server_id, id);

  -- Console lines in chunks of consecutive ids. Chunks of one server sort by (epoch_order, first_seq).
  CREATE TABLE lines (
    connection_id TEXT NOT NULL,
    server_id TEXT NOT NULL,
    epoch_order INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    epoch TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (connection_id, server_id, epoch_order, first_seq)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Bytes of a view of which only so many are kept (folders); NULL for the others.
  ALTER TABLE views ADD COLUMN bounded INTEGER;
  -- Holds all that bounding asks, so that it does not read the values themselves.
  CREATE INDEX views_bounded ON views (as_of DESC, key, bounded) WHERE bounded IS NOT NULL;

  CREATE TABLE favourites (
    connection_id TEXT NOT NULL,
    server_id TEXT NOT NULL,
    paths TEXT NOT NULL,
    PRIMARY KEY (connection_id, server_id)
  ) STRICT, WITHOUT ROWID;

  -- Contents that files had before; the bytes lie in a file of their own, named by the id. Times in ms since 1970.
  CREATE TABLE former_contents (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    connection_id TEXT NOT NULL,
    server_id TEXT NOT NULL,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    at INTEGER NOT NULL,
    because TEXT NOT NULL
  ) STRICT;
  CREATE INDEX former_contents_by_path ON former_contents (connection_id, server_id, path, seq);
  `,
  `
  -- Texts that were written in the editor and not saved. Times in ms since 1970, sizes in characters.
  CREATE TABLE drafts (
    connection_id TEXT NOT NULL,
    server_id TEXT NOT NULL,
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    etag TEXT,
    at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (connection_id, server_id, path)
  ) STRICT;
  `,
  `
  -- When a content became a former one by seen time, in ms; NULL where an earlier version kept it.
  ALTER TABLE former_contents ADD COLUMN seen_at INTEGER;
  `,
  `
  -- The name of a view is the id of its read, and its key holds what it is asked with. Views that are answered as they
  -- were go on under their new names; the others are read again.
  ALTER TABLE views ADD COLUMN tag TEXT;
  CREATE TEMP TABLE renamed (old TEXT, new TEXT, of_server INTEGER);
  INSERT INTO renamed VALUES
    ('servers', 'servers.list', 0), ('account', 'account.me', 0), ('server', 'servers.read', 1),
    ('status', 'servers.status', 1), ('trash', 'files.trash', 1), ('limits', 'files.limits', 1);
  UPDATE OR IGNORE views SET key = json_array(
      new, connection_id, iif(of_server, json_array(json_array('serverId', server_id)), json('[]')), json('[]'))
    FROM renamed
    WHERE key = old || char(10) || connection_id || char(10) || iif(of_server, server_id, '');
  DELETE FROM views WHERE key NOT LIKE '[%';
  DROP TABLE renamed;
  `,
  `
  -- Where answers differ from the contract: names and kinds, never values. Times in ms since 1970.
  CREATE TABLE drifts (
    connection_id TEXT NOT NULL,
    operation TEXT NOT NULL,
    field TEXT NOT NULL,
    expected TEXT NOT NULL,
    found TEXT NOT NULL,
    found_as TEXT NOT NULL,
    count INTEGER NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (connection_id, operation, field, expected, found, found_as)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Servers that a person added by their ids, of services that give no list. The name is the last the service gave.
  CREATE TABLE added_servers (
    connection_id TEXT NOT NULL,
    server_id TEXT NOT NULL,
    name TEXT,
    PRIMARY KEY (connection_id, server_id)
  ) STRICT;
  `,
  `
  -- Ids that a service sends as numbers, by what they name: they go back so, also from views that are only cached.
  CREATE TABLE number_ids (
    seq INTEGER PRIMARY KEY,
    connection_id TEXT NOT NULL,
    resource TEXT NOT NULL,
    id TEXT NOT NULL,
    UNIQUE (connection_id, resource, id)
  ) STRICT;
  `,
  `
  -- How a person arranged the list of servers. A server has a place, a mark or both; its folder is NULL outside of all.
  CREATE TABLE rail_folders (
    connection_id TEXT NOT NULL,
    folder_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    collapsed INTEGER NOT NULL,
    PRIMARY KEY (connection_id, folder_id)
  ) STRICT;
  CREATE TABLE rail_servers (
    connection_id TEXT NOT NULL,
    server_id TEXT NOT NULL,
    folder_id TEXT,
    place INTEGER,
    colour TEXT,
    icon TEXT,
    PRIMARY KEY (connection_id, server_id)
  ) STRICT;
  `,
  `
  -- With a rowid: rows of a hundred kilobytes within their own index take twice as long to write and four times to remove.
  CREATE TABLE kept_lines (
    connection_id TEXT NOT NULL,
    server_id TEXT NOT NULL,
    epoch_order INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    epoch TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (connection_id, server_id, epoch_order, first_seq)
  ) STRICT;
  INSERT INTO kept_lines SELECT * FROM lines;
  DROP TABLE lines;
  ALTER TABLE kept_lines RENAME TO lines;
  `,
]
