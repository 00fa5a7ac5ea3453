// @ts-check
// Tests with a real Docker Engine run in a network and with mounts of their own, which end with them.
import { existsSync } from 'node:fs'
import path from 'node:path'

const tools = ['dockerd', 'containerd', 'iptables', 'busybox', 'unshare', 'ip']

// In a changed root the root is no mount whose propagation could be set.
const SET_UP = 'mount --make-rprivate / 2>/dev/null; ip link set lo up && exec "$@"'

/** Why they can't run here. @returns {string | null} */
export function whyNoEngine() {
  if (process.platform !== 'linux') return 'only Linux has the namespaces they run in'
  if (process.getuid?.() !== 0) return 'only root may make the namespaces they run in'
  const missing = tools.filter((tool) => !isOnPath(tool))
  return missing.length === 0 ? null : `${missing.join(', ')} not found`
}

/** @param {string} tool */
export const isOnPath = (tool) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, tool)))

/**
 * The command in namespaces of its own.
 * @param {string} file
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
export const apart = (file, args) => [
  'unshare',
  ['--net', '--mount', '--propagation', 'unchanged', 'sh', '-c', SET_UP, 'sh', file, ...args],
]
