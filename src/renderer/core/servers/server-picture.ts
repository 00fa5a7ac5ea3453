import type { Attachment } from 'svelte/attachments'
import { firstPicture } from '../after-picture.ts'

/** Draws the server's icon in its mark, after the first paint. */
export const serverPicture =
  (connectionId: string, serverId: string): Attachment<HTMLElement> =>
  (mark) => {
    const shown = firstPicture()
      .then(() => import('./server-pictures.svelte.ts'))
      .then(({ show }) => show(mark, connectionId, serverId))
      .catch(() => undefined)
    return () => void shown.then((stop) => stop?.())
  }
