import { expect, it } from 'vitest';
import { FOR_OTHERS } from './ask-anywhere.ts';
import { REQUESTS } from './requests.ts';

it('what may be asked from another machine => what may be asked through the web page: it names nothing here', () => {
  const forWeb = Object.entries(REQUESTS).filter(([, request]) => 'isForWeb' in request);
  expect(forWeb.map(([name]) => name).sort()).toEqual([...FOR_OTHERS].sort());
});
