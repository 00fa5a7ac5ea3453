import { watch } from 'node:fs'

/** How often a folder is looked at where the system tells of no changes, in ms. */
const POLL_MS = 2000

/**
 * Calls `changed` whenever something may have changed in a folder. The folder is watched and not the file: editors put a new file
 * in the old one's place. Where the system cannot watch (too many watched files, some network disks), it is asked from time to time.
 */
export function watchFolder(folder: string, changed: () => void): () => void {
  let polling: NodeJS.Timeout | null = null
  let stopped = false
  let stopWatching = () => undefined as void
  const poll = () => {
    stopWatching()
    if (!stopped) polling ??= setInterval(changed, POLL_MS).unref()
  }
  try {
    const watcher = watch(folder, { persistent: false }, changed)
    stopWatching = () => watcher.close()
    watcher.on('error', poll)
  } catch {
    poll()
  }
  return () => {
    stopped = true
    stopWatching()
    if (polling) clearInterval(polling)
  }
}
