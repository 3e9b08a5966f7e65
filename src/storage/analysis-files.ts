/** Names of the record files that hold later analyses of captures: `analysis-0-<time>-<number>.warc.gz`. */
export const ANALYSIS_FILES = { collection: 'analysis', crawlId: 0 } as const;

const NAME = new RegExp(
  `^${ANALYSIS_FILES.collection}-${ANALYSIS_FILES.crawlId}-\\d{14}-\\d+(?:-merged)?\\.warc`,
);

export const isAnalysisFile = (file: string): boolean => NAME.test(file);
