import type { Readable } from 'node:stream'
import type { BackupDescription } from './restic/about.ts'

/** What a backup is made from: a server's folder, walked once. */
export interface BackupSource {
  /** Absolute. */
  root: string
  /** Folders come before what is in them. Paths are relative to the root, `/`-separated. */
  entries(): AsyncIterable<SourceEntry>
  /** For stores that can be read without our database. */
  about?: Omit<BackupDescription, 'bytes' | 'files'> | null
}

export interface SourceEntry {
  path: string
  kind: 'file' | 'folder'
  /** Bytes, as the walk saw it. */
  size: number
  /** In ms. */
  modifiedAt: number
  /** Permission bits. */
  mode: number
  /** Absolute path of the bytes: in the root, or of a copy that was made of a file in use. */
  from: string
}

/** An entry in a backup; without its `from`. */
export type BackupEntry = Omit<SourceEntry, 'from'>

export interface StorePorts {
  signal: AbortSignal
  /** Bytes done of what is known; at most a few times a second matters. */
  progress(done: number, total: number | null): void
}

export interface SavedBackup {
  /** What it holds and what it added to the store, in bytes. */
  bytes: number
  addedBytes: number
  files: number
  /** Read twice and still not whole, or gone meanwhile. */
  missing: { path: string; reason: 'changed' | 'unreadable' }[]
}

export interface BackupCheck {
  /** Paths whose bytes are not what was saved; bounded. */
  damaged: string[]
}

/**
 * What is in the backups of one server. All methods reject with a Refusal for what a person can mend, with the signal's
 * reason once it is aborted.
 */
export interface BackupContents {
  /** The entries of one folder, in no order. 404 if it isn't in the backup. */
  list(id: string, folder: string): Promise<BackupEntry[]>
  /** 404 if there is no such entry. */
  entry(id: string, path: string): Promise<BackupEntry>
  /** All entries below some paths, or all, folders first. */
  walk(id: string, below: readonly string[] | null): AsyncIterable<BackupEntry>
  /** A file's bytes from `start` up to and without `end`. */
  read(id: string, path: string, range?: { start: number; end: number }): Promise<Readable>
  /** Writes entries below an empty folder that is there, each with its time and mode; every byte is checked. */
  extract(id: string, below: readonly string[] | null, to: string, ports: StorePorts): Promise<void>
  /** Reads every byte. */
  check(id: string, ports: StorePorts): Promise<BackupCheck>
}

/** Keeps them. An id is the service's own; what was begun and not finished is never listed. */
export interface BackupStore extends BackupContents {
  /** Resolves when everything is on the disk; leaves nothing behind when it rejects. */
  save(id: string, source: BackupSource, ports: StorePorts): Promise<SavedBackup>
  /** Frees what only these needed. Not beside a `save`. */
  remove(ids: readonly string[], ports: StorePorts): Promise<void>
  /** Ids of whole backups that are there, for comparing with what is known. */
  ids(): Promise<string[]>
  /** Removes what a killed service left unfinished; false if there was none. `isSuspect`: looks in any case. Not beside a `save`. */
  sweep?(isSuspect: boolean): Promise<boolean>
  /** Of one that isn't known. */
  about?(id: string): Promise<{ createdAt: number; addedBytes: number }>
}
