/** What Windows knows the installed program by: its notifications, its button in the taskbar, its start with the system. */
export const WINDOWS_ID = 'org.wheelhouse.panel'

/**
 * What Windows starts where a notification is clicked whose program has ended. Where none is named Electron makes one up, another
 * one after each installation: older notifications would lead nowhere, and each of them would stay behind in the registry.
 */
export const TOAST_ACTIVATOR = '{6F0B2C57-0E5D-4E0C-9E3A-7C1B5D9A4E21}'
