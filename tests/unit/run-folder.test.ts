import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { processesIn } from '../../build/scripts/processes-in.js'
import { at, node24, nodeFlags } from '../../build/scripts/project.js'
import { buildStale } from '../../build/scripts/stale.js'

/** The runs that a test began; what is left of them where it fails. */
const folders: string[] = []

beforeAll(() => buildStale())
afterEach(async () => {
  for (const folder of folders.splice(0))
    for (const pid of await processesIn(folder)) process.kill(pid, 'SIGKILL')
})

/** Starts a script that is a run of its own; answers what it says first. */
async function run(...args: string[]) {
  const starter = spawn(node24(), [...nodeFlags, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(starter, 'exit')
  const [line] = (await once(createInterface(starter.stdout), 'line')) as [string]
  const said = JSON.parse(line) as { folder: string; disk: string | null }
  folders.push(said.folder)
  return { starter, ended, ...said }
}

const commands = async (folder: string) =>
  Promise.all(
    (await processesIn(folder)).map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')),
  )
const mounts = () => readFile('/proc/self/mounts', 'utf8')

describe.runIf(process.platform === 'linux')('what a run has started', () => {
  it('ends with it, by SIGKILL too: panels, services, game servers, browsers, keyrings, small disks', async () => {
    const { starter, ended, folder, disk } = await run(at('tests/unit/all-it-starts.ts'))
    // The game server takes its time.
    for (const kind of ['out/main/web.js', 'out/main/service.js', 'demo-launcher.js', 'chrom', 'setInterval'])
      await expect
        .poll(async () => (await commands(folder)).some((one) => one.includes(kind)), { message: kind })
        .toBe(true)
    if (existsSync('/usr/bin/gnome-keyring-daemon'))
      await expect
        .poll(async () => (await commands(folder)).join('\n'))
        .toMatch(/dbus-daemon[^]*gnome-keyring-daemon|gnome-keyring-daemon[^]*dbus-daemon/)
    if (disk !== null) expect(await mounts()).toContain(disk)

    starter.kill('SIGKILL')
    await ended
    await expect.poll(() => commands(folder)).toEqual([])
    await expect.poll(() => existsSync(folder)).toBe(false)
    expect(await mounts()).not.toContain(folder)
  })

  it('ends with it where it ends by itself, and its folder is gone', async () => {
    const stays = "['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }"
    const code = `
      import { spawn } from 'node:child_process'
      import { ownRunFolder } from ${JSON.stringify(at('build/scripts/run-folder.js'))}
      const folder = ownRunFolder()
      spawn(process.execPath, ${stays}).unref()
      process.stdout.write(JSON.stringify({ folder, disk: null }) + '\\n')`
    const { ended, folder } = await run('--input-type=module', '-e', code)
    expect(await ended).toEqual([0, null])
    await expect.poll(() => existsSync(folder)).toBe(false)
    expect(await processesIn(folder)).toEqual([])
  })
})
