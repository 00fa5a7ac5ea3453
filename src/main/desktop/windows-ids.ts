/** AppUserModelID: notifications, taskbar and autostart. */
export const WINDOWS_ID = 'org.wheelhouse.panel'

/**
 * COM class that Windows starts on clicks after the program ended. Without it Electron generates one per installation:
 * old notifications would lead nowhere and each id would stay in the registry.
 */
export const TOAST_ACTIVATOR = '{6F0B2C57-0E5D-4E0C-9E3A-7C1B5D9A4E21}'
