import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type UtilityProcess, utilityProcess } from 'electron'
import type { KeychainAnswer, KeychainChild } from '../accounts/keychain/protocol.ts'
import { SERVICE_FLAGS, type ServiceLauncher } from '../local/service-launcher.ts'

const LAST_WORDS = 4000

function program(name: string): string {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  if (!existsSync(file)) throw new Error(`Part of the panel is missing: ${name}. Install the panel again.`)
  return file
}

/** SIGKILL by pid: utilityProcess.kill() only asks. */
function end(child: UtilityProcess): void {
  // No pid before it runs or after it ended.
  if (child.pid === undefined) return void child.once('spawn', () => end(child))
  try {
    process.kill(child.pid, 'SIGKILL')
  } catch {
    // Already ended.
  }
}

function onceEnded(child: UtilityProcess): (listener: (code: number | null) => void) => () => void {
  let ended: { code: number | null } | null = null
  const listeners = new Set<(code: number | null) => void>()
  // V8 ran out of memory; exit follows. Without a listener the event would end the panel.
  child.on('error', () => undefined)
  child.once('exit', (code) => {
    ended = { code }
    for (const listener of listeners) listener(code)
    listeners.clear()
  })
  return (listener) => {
    if (ended) listener(ended.code)
    else listeners.add(listener)
    return () => void listeners.delete(listener)
  }
}

/** `fork` is unavailable: the runAsNode fuse is off. */
export function serviceLauncher(file: () => string = () => program('service')): ServiceLauncher {
  return {
    launch(args) {
      const child = utilityProcess.fork(file(), args, {
        serviceName: 'Wheelhouse service',
        execArgv: [...SERVICE_FLAGS],
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let lastWords = ''
      child.stderr?.on('data', (piece: Buffer) => {
        lastWords = (lastWords + piece.toString()).slice(-LAST_WORDS)
      })
      child.stderr?.on('error', () => undefined)
      const onEnd = onceEnded(child)
      return {
        send: (message) => child.postMessage(message),
        onMessage(listener) {
          child.on('message', listener)
          return () => void child.off('message', listener)
        },
        onExit: (listener) => onEnd((code) => listener({ code, lastWords: lastWords.trim() })),
        kill: () => end(child),
      }
    },
  }
}

export function startKeychainChild(file: () => string = () => program('keychain-child')): KeychainChild {
  const child = utilityProcess.fork(file(), [], { serviceName: 'Wheelhouse keychain', stdio: 'ignore' })
  const onEnd = onceEnded(child)
  return {
    send: (ask) => child.postMessage(ask),
    onAnswer: (listener) => void child.on('message', (answer: KeychainAnswer) => listener(answer)),
    onEnd: (listener) => void onEnd(() => listener()),
    kill: () => end(child),
  }
}
