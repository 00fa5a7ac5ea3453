import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { KeychainAnswer, KeychainChild } from './protocol.ts'

/** `keychain-child.js` beside the bundle, or the source. */
export function keychainChildFile(): string {
  // Not inlined in `new URL`: a bundler would treat them as assets.
  for (const name of ['./keychain-child.js', './child.ts']) {
    const file = fileURLToPath(new URL(name, import.meta.url))
    if (existsSync(file)) return file
  }
  throw new Error('The keychain program is missing from this installation.')
}

/** For Node. Electron's fuses forbid forks, so it uses a utilityProcess. */
export function forkKeychainChild(file: string = keychainChildFile()): KeychainChild {
  const child = fork(file, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  child.unref()
  child.channel?.unref()
  return {
    send: (ask) => void child.send(ask, () => {}),
    onAnswer: (listener) => void child.on('message', (answer) => listener(answer as KeychainAnswer)),
    onEnd: (listener) => {
      let told = false
      const tell = () => {
        if (!told) listener()
        told = true
      }
      child.once('exit', tell)
      // `on`, not `once`: errors can repeat, and one without a listener would end the panel.
      child.on('error', tell)
    },
    kill: () => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
    },
  }
}
