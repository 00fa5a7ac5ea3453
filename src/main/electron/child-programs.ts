import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type UtilityProcess, utilityProcess } from 'electron'
import type { KeychainAnswer, KeychainChild } from '../accounts/keychain/protocol.ts'
import { SERVICE_FLAGS, type ServiceLauncher } from '../local/service-launcher.ts'

/** Characters of error output kept to say why a program did not start. */
const LAST_WORDS = 4000

/** A program of the build, which lies beside this one. Throws a sentence where it is missing. */
function program(name: string): string {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  if (!existsSync(file)) throw new Error(`Part of the panel is missing: ${name}. Install the panel again.`)
  return file
}

/** Ends a program at once, by its pid: `kill` of a utilityProcess only asks. */
function end(child: UtilityProcess): void {
  // It has none before it runs, nor once it has ended.
  if (child.pid === undefined) return void child.once('spawn', () => end(child))
  try {
    process.kill(child.pid, 'SIGKILL')
  } catch {
    // It had ended by itself.
  }
}

/** Calls a listener once when a program has ended, also where it ended before. */
function onceEnded(child: UtilityProcess): (listener: (code: number | null) => void) => () => void {
  let ended: { code: number | null } | null = null
  const listeners = new Set<(code: number | null) => void>()
  // V8 gave up in it: it exits right after, which is told. Unheard, the event would end the panel too.
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

/** Starts the built-in service. A fork does not work here: the fuse that lets Electron run as Node is off. */
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

/** Starts the program that talks to the system's keychain. */
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
