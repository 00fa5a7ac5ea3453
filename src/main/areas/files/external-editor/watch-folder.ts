import { watch } from 'node:fs'

/** Interval if the system can't watch. */
const POLL_MS = 2000

/** Watches the folder, as editors replace the file. Polls if watching fails (watch limit, network disks). */
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
