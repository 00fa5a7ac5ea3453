import type { CallName, CallOutput } from '../../contract/bridge/calls.ts'
import type { Events } from '../../contract/bridge/events.ts'
import type { Outcome, Problem } from '../../contract/bridge/problem.ts'
import type { Bridge } from '../../contract/bridge/bridge.ts'
import type { AnswerMessage, EventMessage, SocketProtocol } from '../message.ts'
import type { PageKey } from './key.ts'
import { Uploads } from './upload.ts'

const PROTOCOL: SocketProtocol = 'wheelhouse'

const FIRST_WAIT = 200
const LAST_WAIT = 5000

// Importing `say` would load all sentences with the page.
const gone: Problem = {
  code: 'offline',
  message:
    'The panel on this computer is not responding. This page keeps trying; start the panel again if it was closed.',
  text: { key: 'panel.silent' },
  retryable: true,
}

/** Calls wait while disconnected. Calls in flight when the connection breaks answer `offline`, but may have run. */
export function connect(address: string, key: PageKey): Bridge {
  /** Identifies this page to main, which waits for its files while the socket is open. */
  const page = crypto.randomUUID()
  const uploads = new Uploads(page, key)
  let socket: WebSocket
  let reached = false
  let wait = FIRST_WAIT
  let nextId = 1
  let queue: string[] = []
  const waiting = new Map<number, (outcome: Outcome<never>) => void>()
  const listeners = new Map<string, Set<(value: never) => void>>()
  const reachListeners = new Set<(reached: boolean) => void>()

  const setReached = (now: boolean) => {
    if (reached === now) return
    reached = now
    for (const listener of reachListeners) listener(now)
  }

  function open() {
    // The key is sent as a protocol header: addresses end up in browser histories and logs.
    socket = new WebSocket(`${address}?page=${page}`, [PROTOCOL, key.value])
    socket.onopen = () => {
      wait = FIRST_WAIT
      for (const message of queue) socket.send(message)
      queue = []
      setReached(true)
    }
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data as string) as AnswerMessage | EventMessage
      if ('event' in message) return tell(message)
      const answer = waiting.get(message.id)
      waiting.delete(message.id)
      answer?.(message.outcome as Outcome<never>)
    }
    socket.onclose = () => {
      for (const answer of waiting.values()) answer({ ok: false, problem: gone })
      waiting.clear()
      queue = []
      setReached(false)
      setTimeout(open, wait)
      wait = Math.min(wait * 2, LAST_WAIT)
    }
  }
  open()

  function ask(name: CallName, input: unknown): Promise<Outcome<never>> {
    return new Promise((resolve) => {
      const id = nextId++
      waiting.set(id, resolve)
      const message = JSON.stringify({ id, name, input })
      if (socket.readyState === WebSocket.OPEN) socket.send(message)
      else queue.push(message)
    })
  }
  function tell({ event, value }: EventMessage) {
    if (event === 'transfers') uploads.follow((value as Events['transfers']).items)
    for (const listener of listeners.get(event) ?? []) listener(value as never)
  }

  return {
    call: <N extends CallName>(name: N, input: unknown): Promise<Outcome<CallOutput<N>>> => ask(name, input),
    upload: (picked) => uploads.upload(picked),
    on(event, listener) {
      let set = listeners.get(event)
      if (!set) listeners.set(event, (set = new Set()))
      set.add(listener)
      return () => void set.delete(listener)
    },
    onReach(listener) {
      reachListeners.add(listener)
      listener(reached)
      return () => void reachListeners.delete(listener)
    },
  }
}
