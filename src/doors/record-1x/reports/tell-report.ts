import type { ReportName } from '../../../farm/farm.ts'
import type { Records } from '../../../records/records.ts'
import type { KeptReportName, TellReport } from '../../../reports/kept-report.ts'
import { readFarmSettings } from '../../../storage/settings.ts'
import { readQuery } from '../../http/query.ts'
import { groupings, type history } from './figure.ts'
import { historyDocument } from './history-document.ts'
import { daysAsked, filtersOfReport, parametersOf } from './report-query.ts'
import { sumsDocument } from './sums-document.ts'
import { toldHistory } from './told-history.ts'
import { toldSums } from './told-sums.ts'

/** A report as its address would answer it now, and the logs that it counts. */
export const tellReport =
  (installation: Records): TellReport =>
  async (snapshot, { report, query, base }) => {
    const entries = [...readQuery(`?${query}`).filter(({ name }) => name !== 'shapes'), shapes]
    const filters = filtersOfReport(entries, parametersOf[report].json)
    const { timezone: zone, system_of_measurement: usual } = await readFarmSettings(snapshot)
    const now = installation.clock()
    const asking = { base, entries, filters, days: daysAsked(entries, { now, zone }), zone, now }
    if (isHistory(report)) {
      const { told, telling, places } = await toldHistory(snapshot, installation, asking)
      return { document: historyDocument(told, telling, places), logs: told.logs.map(({ log }) => log.id) }
    }
    const { told, telling, places } = await toldSums(snapshot, installation, { ...asking, report, usual })
    return { document: sumsDocument(told, telling, places), logs: told.logs }
  }

const shapes = { name: 'shapes', brackets: [], value: '1' }

const isHistory = (report: KeptReportName): report is typeof history => !Object.hasOwn(groupings, report as ReportName)
