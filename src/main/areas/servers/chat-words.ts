import type { Countdown } from '../../../contract/bridge/values.ts'

interface ChatWords {
  soon: (action: Countdown['action'], seconds: number) => string
  canceled: (action: Countdown['action']) => string
}

/** Read by players, in the language of whoever started it. */
const words: Record<Countdown['language'], ChatWords> = {
  en: {
    soon: (action, seconds) =>
      `The server ${action === 'stop' ? 'stops' : 'restarts'} in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    canceled: (action) => `The ${action === 'stop' ? 'stop' : 'restart'} was canceled.`,
  },
  de: {
    soon: (action, seconds) =>
      `Der Server ${action === 'stop' ? 'stoppt' : 'startet'} in ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}${action === 'stop' ? '' : ' neu'}.`,
    canceled: (action) => `Der ${action === 'stop' ? 'Stopp' : 'Neustart'} wurde abgesagt.`,
  },
}

export const chatWords = (language: Countdown['language']): ChatWords => words[language]
