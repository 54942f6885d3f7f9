/** Vitessce's loaders of AnnData as npm has them. */
export { AnnDataSource, ObsFeatureMatrixAnndataLoader } from "@vitessce/zarr";
