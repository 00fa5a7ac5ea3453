import { createServer } from 'node:net'

export const FIRST_GAME_PORT = 25565

/** First port from `first` on that is neither in `taken` nor in use on this computer. */
export async function findFreePort(
  host: string,
  taken: ReadonlySet<number>,
  first: number,
): Promise<number | null> {
  for (let port = first; port <= 65535; port++) {
    if (!taken.has(port) && (await canListen(host, port))) return port
  }
  return null
}

function canListen(host: string, port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}
