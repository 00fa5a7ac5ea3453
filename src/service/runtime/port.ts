import { createServer } from 'node:net'

export type PortState = { kind: 'free' } | { kind: 'taken' } | { kind: 'refused'; code: string }

export function tryPort(host: string, port: number): Promise<PortState> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      resolve(
        error.code === 'EADDRINUSE' ? { kind: 'taken' } : { kind: 'refused', code: error.code ?? 'unknown' },
      )
    })
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve({ kind: 'free' })))
  })
}
