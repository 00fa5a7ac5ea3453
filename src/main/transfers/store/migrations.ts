/** Schema steps; append only. No tokens or headers: an upload's address is useless without the token. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE transfers (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    position REAL NOT NULL,
    name TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    server_id TEXT NOT NULL,
    from_connection_id TEXT,
    from_server_id TEXT,
    folder TEXT NOT NULL,
    choice TEXT,
    page TEXT,
    problem TEXT,
    created_at TEXT NOT NULL,
    ended_at TEXT,
    -- Kept by the triggers below, so that telling how a tree of 100,000 files stands costs one row.
    files INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0,
    gathering INTEGER NOT NULL DEFAULT 0,
    open INTEGER NOT NULL DEFAULT 0,
    asking INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    bytes_done INTEGER NOT NULL DEFAULT 0,
    bytes_left INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    transfer_id TEXT NOT NULL REFERENCES transfers (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    kind TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified_at INTEGER,
    state TEXT NOT NULL,
    bytes_done INTEGER NOT NULL DEFAULT 0,
    -- Where it is read: a path of this computer, or of the server it comes from.
    source TEXT NOT NULL,
    -- Where it goes: a path of the server, or of this computer.
    target TEXT NOT NULL,
    -- Address of a begun upload; of a download the name under which it is being put in its place.
    resume TEXT,
    etag TEXT,
    choice TEXT,
    -- 1 while a request is out whose lost answer leaves open whether the file is there.
    sent INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    final_path TEXT,
    problem TEXT
  ) STRICT;
  CREATE INDEX items_by_state ON items (transfer_id, state, id);

  CREATE TRIGGER item_added AFTER INSERT ON items BEGIN
    UPDATE transfers SET
      files = files + (new.kind = 'file'),
      done = done + (new.kind = 'file' AND new.state = 'done'),
      failed = failed + (new.state = 'failed'),
      skipped = skipped + (new.state = 'skipped'),
      gathering = gathering + (new.state = 'gathering'),
      open = open + (new.state IN ('waiting', 'running')),
      asking = asking + (new.state = 'asking'),
      bytes = bytes + new.size,
      bytes_done = bytes_done + new.bytes_done,
      bytes_left = bytes_left
        + iif(new.state IN ('waiting', 'running', 'asking', 'gathering'), new.size - new.bytes_done, 0)
    WHERE id = new.transfer_id;
  END;
  CREATE TRIGGER item_changed AFTER UPDATE OF state, size, bytes_done ON items BEGIN
    UPDATE transfers SET
      done = done + (new.kind = 'file' AND new.state = 'done') - (old.kind = 'file' AND old.state = 'done'),
      failed = failed + (new.state = 'failed') - (old.state = 'failed'),
      skipped = skipped + (new.state = 'skipped') - (old.state = 'skipped'),
      gathering = gathering + (new.state = 'gathering') - (old.state = 'gathering'),
      open = open + (new.state IN ('waiting', 'running')) - (old.state IN ('waiting', 'running')),
      asking = asking + (new.state = 'asking') - (old.state = 'asking'),
      bytes = bytes + new.size - old.size,
      bytes_done = bytes_done + new.bytes_done - old.bytes_done,
      bytes_left = bytes_left
        + iif(new.state IN ('waiting', 'running', 'asking', 'gathering'), new.size - new.bytes_done, 0)
        - iif(old.state IN ('waiting', 'running', 'asking', 'gathering'), old.size - old.bytes_done, 0)
    WHERE id = new.transfer_id;
  END;

  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Tries that ended because the source changed: what is agreed in between says nothing of the next one.
  ALTER TABLE items ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
  -- Most bytes that were ever agreed of what the source is now, or fetched where it waits for its sending.
  ALTER TABLE items ADD COLUMN reached INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- How many files and folders were picked beside the one that gives the name.
  ALTER TABLE transfers ADD COLUMN others INTEGER NOT NULL DEFAULT 0;
  UPDATE transfers SET others = max(0, (
    SELECT count(DISTINCT substr(path, 1, instr(path || '/', '/') - 1)) FROM items WHERE transfer_id = transfers.id
  ) - 1);
  `,
  `
  -- Where it begins in its source, of a page's small files that lie in one file; null where that is its own.
  ALTER TABLE items ADD COLUMN source_at INTEGER;

  -- What begins to run, or waits again, is counted as before.
  DROP TRIGGER item_changed;
  CREATE TRIGGER item_changed AFTER UPDATE OF state, size, bytes_done ON items
  WHEN new.size <> old.size OR new.bytes_done <> old.bytes_done OR new.state <> old.state
    AND NOT (old.state IN ('waiting', 'running') AND new.state IN ('waiting', 'running'))
  BEGIN
    UPDATE transfers SET
      done = done + (new.kind = 'file' AND new.state = 'done') - (old.kind = 'file' AND old.state = 'done'),
      failed = failed + (new.state = 'failed') - (old.state = 'failed'),
      skipped = skipped + (new.state = 'skipped') - (old.state = 'skipped'),
      gathering = gathering + (new.state = 'gathering') - (old.state = 'gathering'),
      open = open + (new.state IN ('waiting', 'running')) - (old.state IN ('waiting', 'running')),
      asking = asking + (new.state = 'asking') - (old.state = 'asking'),
      bytes = bytes + new.size - old.size,
      bytes_done = bytes_done + new.bytes_done - old.bytes_done,
      bytes_left = bytes_left
        + iif(new.state IN ('waiting', 'running', 'asking', 'gathering'), new.size - new.bytes_done, 0)
        - iif(old.state IN ('waiting', 'running', 'asking', 'gathering'), old.size - old.bytes_done, 0)
    WHERE id = new.transfer_id;
  END;
  `,
  `
  -- The backup that a download is from; null for the server's own files.
  ALTER TABLE transfers ADD COLUMN backup TEXT;
  `,
]
