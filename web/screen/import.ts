import { ExportScreen } from './import/export-screen.tsx'
import { ImportScreen } from './import/import-screen.tsx'

/** Sheets and maps, into the farm and out of it. */
export const importScreens = { ImportScreen, ExportScreen }
