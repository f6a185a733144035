import type { JSX } from 'preact'
import { route } from '../look/router.ts'
import { ReportScreen } from './reports/report-screen.tsx'
import { ReportsScreen } from './reports/reports-screen.tsx'

/** What logs come to: all reports, or one of them by its name. */
export function Part(): JSX.Element {
  const [, , name] = route.value.path.split('/')
  return name === undefined ? <ReportsScreen /> : <ReportScreen name={name} />
}
