import type { NotificationKind, NotificationValues } from '../areas/notifications.ts'

type Values = NotificationValues
type Language = 'en' | 'de'

type Words = Record<NotificationKind, (said: Values) => { title: string; body: string }>

const GIGA = 1024 ** 3

const giga = (bytes: number | null | undefined, language: Language): string =>
  `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format((bytes ?? 0) / GIGA)} GiB`

/** In UTC, since the reader's time zone is unknown here. */
const date = (iso: string, language: Language): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))} (UTC)`

const en: Words = {
  crash: ({ server, exitCode }) => ({
    title: `${server} crashed`,
    body:
      typeof exitCode === 'number'
        ? `It ended by itself with exit code ${exitCode}. The last lines of its console may say why.`
        : 'It ended by itself. The last lines of its console may say why.',
  }),
  start: ({ server, by }) => ({ title: `${by} started ${server}`, body: '' }),
  stop: ({ server, by, action }) => {
    const what = action === 'restart' ? 'restarted' : action === 'kill' ? 'killed' : 'stopped'
    return { title: `${by} ${what} ${server}`, body: '' }
  },
  invitation: ({ server, by }) => ({
    title: `${by} invites you to ${server}`,
    body: 'Accept or decline the invitation in your account.',
  }),
  disk: ({ server, usedBytes, limitBytes, freeBytes }) =>
    server
      ? {
          title: `${server} has almost used up its space`,
          body: `It uses ${giga(usedBytes, 'en')} of ${giga(limitBytes, 'en')}. When nothing is left, its world can no longer be saved.`,
        }
      : {
          title: 'The disk is nearly full',
          body: `${giga(freeBytes, 'en')} are left. When nothing is left, worlds can no longer be saved.`,
        },
  'sign-in': ({ device, address }) => ({
    title: 'Sign-in from a new address',
    body: `${device || 'An unknown device'} signed in to your account from ${address}. If this was not you, end the session and change the password that you sign in with.`,
  }),
  promotion: ({ promotion, until }) => ({
    title: until ? `${promotion} ends on ${date(until, 'en')}` : `${promotion} was activated`,
    body: until ? 'After that your account may have less. Nothing is stopped or deleted.' : '',
  }),
  backup: ({ server, target, action }) =>
    action === 'overdue'
      ? {
          title: `A backup of ${server} is three days overdue`,
          body: 'A schedule should have made it. Check whether it is on and what its last runs say.',
        }
      : {
          title: target
            ? `A backup of ${server} was not copied to ${target}`
            : `A backup of ${server} failed`,
          body: 'Its list of backups says why.',
        },
  leftovers: ({ server, folder }) => ({
    title: `Some files of ${server} could not be deleted`,
    body: `The server is gone, but some of its files are still on the disk, in ${folder} of the service's data folder. Deletion is retried every hour. If they stay, whoever runs the service has to delete them.`,
  }),
  schedule: ({ server, schedule, action }) => {
    const what = action === 'paused' ? 'was paused' : action === 'interrupted' ? 'was interrupted' : 'failed'
    return { title: `${schedule} ${what} on ${server}`, body: 'Schedules in its settings says why.' }
  },
}

const de: Words = {
  crash: ({ server, exitCode }) => ({
    title: `${server} ist abgestürzt`,
    body:
      typeof exitCode === 'number'
        ? `Der Server hat sich von selbst beendet (Code ${exitCode}). Vielleicht sagen die letzten Zeilen der Konsole, warum.`
        : 'Der Server hat sich von selbst beendet. Vielleicht sagen die letzten Zeilen der Konsole, warum.',
  }),
  start: ({ server, by }) => ({ title: `${by} hat ${server} gestartet`, body: '' }),
  stop: ({ server, by, action }) => {
    const what = action === 'restart' ? 'neu gestartet' : action === 'kill' ? 'sofort beendet' : 'gestoppt'
    return { title: `${by} hat ${server} ${what}`, body: '' }
  },
  invitation: ({ server, by }) => ({
    title: `${by} lädt dich zu ${server} ein`,
    body: 'Nimm die Einladung in deinem Konto an oder lehne sie ab.',
  }),
  disk: ({ server, usedBytes, limitBytes, freeBytes }) =>
    server
      ? {
          title: `${server} hat seinen Speicherplatz fast aufgebraucht`,
          body: `Belegt sind ${giga(usedBytes, 'de')} von ${giga(limitBytes, 'de')}. Ist nichts mehr frei, kann die Welt nicht mehr gespeichert werden.`,
        }
      : {
          title: 'Der Datenträger ist fast voll',
          body: `${giga(freeBytes, 'de')} sind noch frei. Ist nichts mehr frei, können Welten nicht mehr gespeichert werden.`,
        },
  'sign-in': ({ device, address }) => ({
    title: 'Anmeldung von einer neuen Adresse',
    body: `${device || 'Ein unbekanntes Gerät'} hat sich von ${address} aus in deinem Konto angemeldet. Wenn du das nicht warst, beende die Sitzung und ändere das Passwort, mit dem du dich anmeldest.`,
  }),
  promotion: ({ promotion, until }) => ({
    title: until ? `${promotion} endet am ${date(until, 'de')}` : `${promotion} wurde aktiviert`,
    body: until ? 'Danach darf dein Konto weniger haben. Nichts wird gestoppt oder gelöscht.' : '',
  }),
  backup: ({ server, target, action }) =>
    action === 'overdue'
      ? {
          title: `Ein Backup von ${server} ist seit drei Tagen überfällig`,
          body: 'Ein Zeitplan hätte es machen sollen. Prüfe, ob er an ist und was seine letzten Läufe sagen.',
        }
      : {
          title: target
            ? `Ein Backup von ${server} wurde nicht nach ${target} kopiert`
            : `Ein Backup von ${server} ist fehlgeschlagen`,
          body: 'Die Liste seiner Backups sagt, warum.',
        },
  leftovers: ({ server, folder }) => ({
    title: `Einige Dateien von ${server} ließen sich nicht löschen`,
    body: `Der Server ist gelöscht, aber einige seiner Dateien liegen noch auf dem Datenträger: in ${folder} im Datenordner des Dienstes. Das Löschen wird jede Stunde erneut versucht. Bleiben sie liegen, muss sie der Betreiber des Dienstes löschen.`,
  }),
  schedule: ({ server, schedule, action }) => {
    const what =
      action === 'paused' ? 'pausiert' : action === 'interrupted' ? 'unterbrochen' : 'fehlgeschlagen'
    return {
      title: `${schedule} auf ${server}: ${what}`,
      body: 'Warum, steht unter Zeitpläne in den Einstellungen.',
    }
  },
}

const all: Record<Language, Words> = { en, de }

/** Shared by service and desktop; English by default. `values` must include what the kind's sentence needs. */
export function wordsOf(
  kind: NotificationKind,
  said: Values,
  language: string | null | undefined,
): { title: string; body: string | null } {
  const { title, body } = all[language === 'de' ? 'de' : 'en'][kind](said)
  return { title, body: body || null }
}
