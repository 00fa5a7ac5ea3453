import { loaded } from '../base/loaded.ts'

export const ownWindow = loaded({
  'own-window.tear-off': 'Open in its own window',
  'own-window.put-back': 'Move back to the first window',
})
