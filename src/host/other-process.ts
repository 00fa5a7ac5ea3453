import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Start time in the system's own format; together with the pid it identifies a process. */
export async function startOf(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
    // The second field is the program's name in parentheses and can contain anything; start time is the 22nd.
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  }
  if (process.platform === 'win32') return null
  return (await output('ps', ['-o', 'lstart=', '-p', String(pid)])) || null
}

async function programOf(pid: number): Promise<string | null> {
  if (process.platform === 'win32') return null
  const line =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : (await output('ps', ['-o', 'args=', '-p', String(pid)])).replaceAll(' ', '\0')
  const [program = '', ...args] = line.split('\0')
  const name = path.basename(program)
  // For interpreters, show the script. Nothing more: arguments can contain anything.
  const script = args.find((arg) => !arg.startsWith('-'))
  return /^(node|python|java|bun|deno|ruby)/.test(name) && script
    ? `${name} ${path.basename(script)}`
    : name || null
}

/** pid of the process listening on a local TCP port, if known. */
export async function listenerOn(port: number): Promise<number | null> {
  if (process.platform === 'linux') return listenerOnLinux(port)
  if (process.platform === 'win32') return null
  const pid = Number((await output('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'])).split('\n')[0])
  return pid > 0 ? pid : null
}

/** "process 42 (nginx)", or less if less is known. */
export async function describeProcess(pid: number | null): Promise<string> {
  if (pid === null) return 'another process'
  const program = await programOf(pid)
  return program ? `process ${pid} (${program})` : `process ${pid}`
}

async function listenerOnLinux(port: number): Promise<number | null> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const sockets = new Set<string>()
  for (const line of tables.join('\n').split('\n')) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
    if (state === '0A' && local?.endsWith(`:${hex}`)) sockets.add(`socket:[${inode}]`)
  }
  if (sockets.size === 0) return null
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    // Other users' processes can't be inspected, so their pid stays unknown.
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      if (sockets.has(await readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''))) return Number(pid)
    }
  }
  return null
}

async function output(program: string, args: string[]): Promise<string> {
  const { stdout } = await run(program, args, { timeout: 3000 }).catch(() => ({ stdout: '' }))
  return stdout.trim()
}
