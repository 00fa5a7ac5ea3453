// The only program that loads keytar. It hangs while a keyring waits to be unlocked; the parent then kills it. It
// replies over its channel: a fork's, or a utilityProcess's parentPort.
import { KEYCHAIN_SERVICE, type KeychainAnswer, type KeychainAsk, type KeychainFault } from './protocol.ts'

interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

interface ParentPort {
  on(event: 'message', listener: (message: { data: KeychainAsk }) => void): void
  postMessage(message: KeychainAnswer): void
}

let loading: Promise<Keytar> | undefined

function keytar(): Promise<Keytar> {
  loading ??= import('keytar').then((module) => (module.default ?? module) as Keytar)
  return loading
}

/** libsecret reports errors as text only; it is parsed nowhere else. */
function faultOf(words: string): KeychainFault {
  if (/D-?Bus|DBUS|Cannot autolaunch|Could not connect|\.service/i.test(words)) return 'no-bus'
  if (/does not exist|collection|No such (object|interface)|Secret/i.test(words)) return 'no-keyring'
  return 'other'
}

async function answer(ask: KeychainAsk): Promise<KeychainAnswer> {
  let tool: Keytar
  try {
    tool = await keytar()
  } catch {
    return { id: ask.id, ok: false, fault: 'no-keytar' }
  }
  try {
    switch (ask.do) {
      case 'get':
        return { id: ask.id, ok: true, value: await tool.getPassword(KEYCHAIN_SERVICE, ask.account) }
      case 'set':
        await tool.setPassword(KEYCHAIN_SERVICE, ask.account, ask.secret)
        return { id: ask.id, ok: true, value: null }
      case 'delete':
        await tool.deletePassword(KEYCHAIN_SERVICE, ask.account)
        return { id: ask.id, ok: true, value: null }
    }
  } catch (fault) {
    return { id: ask.id, ok: false, fault: faultOf(fault instanceof Error ? fault.message : '') }
  }
}

const port = (process as unknown as { parentPort?: ParentPort }).parentPort
if (port) {
  port.on('message', ({ data }) => void answer(data).then((done) => port.postMessage(done)))
} else {
  process.on('message', (ask: KeychainAsk) => {
    void answer(ask).then((done) => {
      if (process.connected) process.send?.(done, undefined, undefined, () => {})
    })
  })
  // process.exit() would wait for keytar's hanging call.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}
