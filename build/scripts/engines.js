// @ts-check
// Tests with a real Docker Engine run in a network and with mounts of their own, which end with them.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { at, node24, run } from './project.js'

const tools = ['dockerd', 'containerd', 'iptables', 'busybox', 'unshare', 'ip']

// Engines need a root that is a mount of its own, which a changed root is not.
const SET_UP = `
  begin='mount --make-rprivate / && ip link set lo up && cd "$at" && exec "$@"'
  export at="$PWD"
  mount --make-rprivate / 2>/dev/null && exec sh -c "$begin" sh "$@"
  root=$(mktemp -d) && mount --rbind / "$root" && exec chroot "$root" sh -c "$begin" sh "$@"`

/** Why they can't run here. @returns {Promise<string | null>} */
export async function whyNoEngine() {
  if (process.platform !== 'linux') return 'only Linux has the namespaces they run in'
  if (process.getuid?.() !== 0) return 'only root may make the namespaces they run in'
  const missing = tools.filter((tool) => !isOnPath(tool))
  if (missing.length > 0) return `${missing.join(', ')} not found`
  const { code, output } = await run(...apart(node24(), [at('tests/fixtures/try-engine.ts')]), {
    quiet: true,
  })
  return code === 0 ? null : `a container could not be run: ${output.trim()}`
}

/** @param {string} tool */
export const isOnPath = (tool) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, tool)))

/** @param {string} file @param {string[]} args @returns {[string, string[]]} */
export const own = (file, args) => [file, args]

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
