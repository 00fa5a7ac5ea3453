import type { Attachment } from 'svelte/attachments'
import { firstPicture } from '../after-picture.ts'

/** Fills the mark of a server with the picture that the server has, once the first picture of the window stands. */
export const serverPicture =
  (connectionId: string, serverId: string): Attachment<HTMLElement> =>
  (mark) => {
    const shown = firstPicture()
      .then(() => import('./server-pictures.svelte.ts'))
      .then(({ show }) => show(mark, connectionId, serverId))
      // Without the part that shows them there are the letters.
      .catch(() => undefined)
    return () => void shown.then((stop) => stop?.())
  }
