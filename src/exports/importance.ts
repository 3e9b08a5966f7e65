/** `daguerre/importance`: PageRank, OPIC, importance of sites. */
export { type LinkGraph, linkGraph, linksOf } from '../science/importance/link-graph.ts';
export { Opic, type OpicOptions, type OpicState } from '../science/importance/opic.ts';
export { DAMPING, type PageRankOptions, pageRank } from '../science/importance/page-rank.ts';
export { siteImportance, sumOfPages } from '../science/importance/site-importance.ts';
