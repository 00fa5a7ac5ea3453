import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SERVICE_FLAGS, type ServiceLauncher } from './service-launcher.ts'

const LAST_WORDS = 4000

export function serviceEntry(): string {
  const built = new URL('./service.js', import.meta.url)
  return fileURLToPath(existsSync(built) ? built : new URL('../../service/cli/main.ts', import.meta.url))
}

export const nodeLauncher: ServiceLauncher = {
  launch(args) {
    // Own process group: Ctrl-C reaches only the panel, which stops the service cleanly.
    const child = fork(serviceEntry(), args, {
      execArgv: [...process.execArgv, ...SERVICE_FLAGS],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: true,
    })
    let lastWords = ''
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (lastWords = (lastWords + text).slice(-LAST_WORDS)))
      .on('error', () => undefined)
    const exits = new Set<(how: { code: number | null; lastWords: string }) => void>()
    const ended = (code: number | null) => {
      for (const listener of exits) listener({ code, lastWords: lastWords.trim() })
      exits.clear()
    }
    child.once('close', ended)
    // `on`, not `once`: errors can repeat, and one without a listener would end the panel.
    child.on('error', (error) => {
      lastWords ||= error.message
      if (child.pid === undefined) ended(null)
    })
    return {
      send: (message) => void (child.connected && child.send(message, () => {})),
      onMessage(listener) {
        child.on('message', listener)
        return () => void child.off('message', listener)
      },
      onExit(listener) {
        exits.add(listener)
        return () => void exits.delete(listener)
      },
      kill: () => void child.kill('SIGKILL'),
    }
  },
}
