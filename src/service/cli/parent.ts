/** Messages between parent and service; the only way the secret travels. */
type ParentMessage = { type: 'local-secret'; secret: string } | { type: 'stop'; startAgain?: true }
type ServiceMessage =
  | {
      type: 'ready'
      baseUrl: string
      restored: string | null
      orphans: string[]
      emptied: string[]
      leftovers: string[]
    }
  | { type: 'resolve-proxy'; id: number; address: string }
  | { type: 'failed'; code: string; message: string; values: Record<string, string> }

export interface ParentChannel {
  send(message: ServiceMessage): void
  onMessage(listener: (message: unknown) => void): void
  onGone(listener: () => void): void
  /** Closes the channel, which would keep the process alive. Messages already sent still arrive. */
  leave(): void
}

/** Electron's utility process port; its types don't exist in plain Node. */
interface ParentPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  on(event: 'close', listener: () => void): void
}

const LEAVE_MS = 100

/** The channel of Node's `fork` or Electron's `utilityProcess`; else null. */
export function parentChannel(): ParentChannel | null {
  const port = (process as unknown as { parentPort?: ParentPort }).parentPort
  if (port) {
    return {
      send: (message) => port.postMessage(message),
      onMessage: (listener) => port.on('message', (event) => listener(event.data)),
      onGone: (listener) => port.on('close', listener),
      // Electron's port can't be closed.
      leave: () => void setTimeout(() => process.exit(), LEAVE_MS),
    }
  }
  if (!process.send) return null
  return {
    // `onGone` reports a lost parent, so ignore the error.
    send: (message) => void (process.connected && process.send?.(message, undefined, undefined, () => {})),
    onMessage: (listener) => void process.on('message', listener),
    onGone: (listener) => {
      if (!process.connected) listener()
      process.on('disconnect', listener)
    },
    leave: () => void (process.connected && process.disconnect()),
  }
}

export function fromParent(message: unknown): ParentMessage | null {
  if (typeof message !== 'object' || message === null || !('type' in message)) return null
  if (message.type === 'stop') {
    const startAgain = 'startAgain' in message && message.startAgain === true
    return { type: 'stop', ...(startAgain && { startAgain }) }
  }
  if (message.type !== 'local-secret' || !('secret' in message)) return null
  const { secret } = message
  return typeof secret === 'string' && secret.length >= 20 ? { type: 'local-secret', secret } : null
}

/** Pending questions; beyond that the oldest goes unanswered. */
const ASKED_MOST = 100

/** Asks the parent for the system's proxy for an address (`--parent-proxy`). */
export function askParent(
  parent: Pick<ParentChannel, 'send' | 'onMessage'>,
): (address: string) => Promise<string> {
  const asked = new Map<number, (ways: string) => void>()
  let last = 0
  const answer = (id: number, ways: string) => {
    asked.get(id)?.(ways)
    asked.delete(id)
  }
  // Attach lazily: messages wait for the first listener, and the secret has to come first.
  const listen = () =>
    parent.onMessage((message) => {
      const { type, id, ways } = (message ?? {}) as { type?: unknown; id?: unknown; ways?: unknown }
      if (type === 'proxy' && typeof id === 'number' && typeof ways === 'string') answer(id, ways)
    })
  return (address) =>
    new Promise((resolve) => {
      if (last === 0) listen()
      const [oldest] = asked.keys()
      if (asked.size >= ASKED_MOST && oldest !== undefined) answer(oldest, 'DIRECT')
      asked.set(++last, resolve)
      parent.send({ type: 'resolve-proxy', id: last, address })
    })
}
