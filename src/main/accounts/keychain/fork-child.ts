import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { KeychainAnswer, KeychainChild } from './protocol.ts'

/** File of the child program: beside the bundle as `keychain-child.js`, or the source where there is no bundle. */
export function keychainChildFile(): string {
  // The names stand apart from `new URL`, or a bundler would take them for assets.
  for (const name of ['./keychain-child.js', './child.ts']) {
    const file = fileURLToPath(new URL(name, import.meta.url))
    if (existsSync(file)) return file
  }
  throw new Error('The keychain program is missing from this installation.')
}

/** Starts the child under Node. Electron starts it as a utilityProcess instead, since its fuses forbid a fork. */
export function forkKeychainChild(file: string = keychainChildFile()): KeychainChild {
  const child = fork(file, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  // The panel may end while the child idles.
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
      // Not once: a child can be out of reach more than once, and an error without a listener would end the panel.
      child.on('error', tell)
    },
    kill: () => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
    },
  }
}
