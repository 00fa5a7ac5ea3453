import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { openWindow, testPorts } from '../../panel/panel.fixture.ts'
import { createPanel } from '../../panel/panel.ts'
import type { BackgroundUnit } from './system-unit.ts'

/** A system that starts the background service of a folder as a unit would, as a process of its own and of a version. */
export function system(folder: string, version = 'test') {
  const started: ChildProcess[] = []
  const isRunning = () => started.some(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  const unit: BackgroundUnit = {
    prepare: async () => {},
    async start() {
      if (isRunning()) return
      const program = fileURLToPath(
        new URL('../../../../tests/doubles/programs/background.ts', import.meta.url),
      )
      started.push(
        spawn(
          process.execPath,
          [...process.execArgv, program, '--service', '--data', folder, '--version', version],
          {
            stdio: 'ignore',
            detached: true,
          },
        ),
      )
    },
    kill: async () => void started.at(-1)?.kill('SIGKILL'),
    remove: async () => {},
  }
  const end = async () => {
    for (const child of started)
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit')
        child.kill('SIGTERM')
        await gone
      }
  }
  onTestFinished(end)
  return { unit, started, isRunning, end }
}

/** A panel of a folder with its window, as of a version. */
export async function openPanel(folder: string, background: BackgroundUnit | null, version = 'test') {
  const panel = await createPanel({ ...testPorts(folder), way: 'electron', background, version })
  onTestFinished(() => panel.close())
  return { panel, ...openWindow(panel) }
}
