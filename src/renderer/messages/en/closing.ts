import { loaded } from '../base/loaded.ts'

export const closing = loaded({
  'closing.title': 'Saving worlds…',
  'closing.stop':
    'Servers that run on this computer are being stopped, and their worlds are saved first. This can take half a minute. Wheelhouse closes by itself.',
  'closing.hand-over':
    'Servers that run on this computer are being stopped and start again in the background. This can take half a minute. Wheelhouse closes by itself.',
})
