import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { listProcesses, treeOf } from './process-table.ts'
import type { ProcessRow } from './process-table.ts'

/** How often a tree that is ending is looked at, in milliseconds. */
const LOOK_MS = 50

/** A program's leading process: with its start, so that a pid that was given out again is never taken for it. */
export interface Leader {
  pid: number
  /** Null where it could not be read in time: then the pid alone has to do. */
  started: string | null
}

/**
 * The living processes of a program. A pid is not given out again while a group or a session bears its number, so if
 * another process has it by now, nothing of the program is left.
 */
export async function livingTree(leader: Leader): Promise<ProcessRow[]> {
  return treeAmong(await listProcesses(), leader)
}

let looking: Promise<ProcessRow[]> | null = null

/**
 * The same for figures alone: all who ask while the computer's processes are being read are answered from that one
 * reading, which may have begun before. With thirty servers each of them would otherwise read all processes for itself.
 */
export async function measuredTree(leader: Leader): Promise<ProcessRow[]> {
  looking ??= listProcesses().finally(() => {
    looking = null
  })
  return treeAmong(await looking, leader)
}

function treeAmong(rows: readonly ProcessRow[], leader: Leader): ProcessRow[] {
  const now = rows.find((row) => row.pid === leader.pid)
  if (now && leader.started !== null && now.started !== leader.started) return []
  return treeOf(rows, leader.pid)
}

/** Asks a program and all its children to end. On Windows there is no such question. */
export function askToEnd(pid: number): void {
  if (process.platform !== 'win32') signal(-pid, 'SIGTERM')
}

/** Ends every process of a program, also those that left its group, and resolves when none is left. */
export async function endTree(leader: Leader, alsoKnown: readonly ProcessRow[] = []): Promise<void> {
  if (process.platform === 'win32') {
    await new Promise((resolve) => execFile('taskkill', ['/pid', String(leader.pid), '/T', '/F'], resolve))
    return
  }
  const strays = new Map(alsoKnown.map((row) => [row.pid, row]))
  for (;;) {
    const rows = await listProcesses().catch(() => null)
    if (!rows) {
      signal(-leader.pid, 'SIGKILL')
      if (!isThere(leader.pid)) return
      await wait(LOOK_MS)
      continue
    }
    const tree = new Map(treeAmong(rows, leader).map((row) => [row.pid, row]))
    for (const row of rows) if (strays.get(row.pid)?.started === row.started) tree.set(row.pid, row)
    if (tree.size === 0) return
    for (const row of tree.values()) {
      // A child that loses its parent is no longer found by it: it is remembered.
      strays.set(row.pid, row)
      signal(row.pid, 'SIGKILL')
    }
    await wait(LOOK_MS)
  }
}

/**
 * Whether nothing of a program is left. The computer's processes cannot always be read: too many files are open, or the
 * program that lists them does not answer. Then its group says so, which all but strays belong to; on Windows its leader.
 */
async function isGone(leader: Leader): Promise<boolean> {
  try {
    return (await livingTree(leader)).length === 0
  } catch {
    return !isThere(leader.pid)
  }
}

function isThere(leader: number): boolean {
  try {
    return process.kill(process.platform === 'win32' ? leader : -leader, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Resolves with whether the tree was gone within the limit, in milliseconds. */
export async function treeGone(leader: Leader, limitMs: number, cancelled?: AbortSignal): Promise<boolean> {
  const end = performance.now() + limitMs
  for (;;) {
    if (await isGone(leader)) return true
    if (performance.now() >= end || cancelled?.aborted) return false
    await wait(LOOK_MS)
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // Gone already is what was wanted. Not ours (a program that changed its user) cannot be helped from here.
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
