import type { JSX } from 'preact'
import { record } from '../../../src/words/en/record.ts'
import { isArea, type LocalRecord } from '../../store/record.ts'
import { addWords } from '../../words/say.ts'
import { AreaPage } from './area-page.tsx'
import { AssetPage } from './asset-page.tsx'
import { GroupMembers } from './group-members.tsx'
import { LogPage } from './log-page.tsx'
import { OneRecord } from './one-record.tsx'
import { smallMap } from './record-head.tsx'
import { TermPage } from './term-page.tsx'

addWords(record)

export { TrashScreen } from './trash.tsx'

void smallMap.fetch()

interface RecordProps {
  readonly id: string
}

export function LogScreen({ id }: RecordProps): JSX.Element {
  return <OneRecord type="log" id={id} key={id} show={(log) => <LogPage log={log} />} />
}

export function AssetScreen({ id }: RecordProps): JSX.Element {
  return <OneRecord type="asset" id={id} key={id} show={(asset) => <AssetPage asset={asset} />} />
}

/** A group is a list: on a desk it stays beside each member. */
export function GroupScreen({ id }: RecordProps): JSX.Element {
  return <OneRecord type="asset" id={id} key={id} show={(group) => <GroupMembers group={group} />} />
}

/** Areas are terms with their own page, by any address. */
export function TermScreen({ id }: RecordProps): JSX.Element {
  return <OneRecord type="term" id={id} key={id} show={pageOfTerm} />
}

const pageOfTerm = (term: LocalRecord): JSX.Element =>
  isArea(term) ? <AreaPage area={term} /> : <TermPage term={term} />
