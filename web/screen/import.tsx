import type { JSX } from 'preact'
import { route } from '../look/router.ts'
import { ExportScreen } from './import/export-screen.tsx'
import { ImportScreen } from './import/import-screen.tsx'

/** Sheets and maps, into the farm and out of it. */
export const Part = (): JSX.Element => (route.value.path === '/export' ? <ExportScreen /> : <ImportScreen />)
