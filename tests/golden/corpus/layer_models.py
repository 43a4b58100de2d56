# SPDX-License-Identifier: Apache-2.0
"""Keras layers without weights of interest: dense ones, activations, normalisation, merging, reshaping, pooling."""

import keras

from feeds import booleans, f32, integers
from models import keras as network
from models import layer

L = keras.layers


def activation(name):
    return layer(f"activation_{name}", lambda: L.Activation(name), f32(2, 9, low=-4, high=4), form="pb")


DENSE = [
    layer("dense_relu_batch_of_3", lambda: L.Dense(5, activation="relu"), f32(3, 6)),
    layer("dense_without_bias_on_rank_4", lambda: L.Dense(4, use_bias=False), f32(1, 3, 2, 5)),
    layer("dense_softmax_tfjs", lambda: L.Dense(7, activation="softmax"), f32(1, 6), form="tfjs"),
    layer("dense_lora", lambda: enabled_lora(L.Dense(6)), f32(1, 8)),
    layer("einsum_dense_heads", lambda: L.EinsumDense("abc,cde->abde", (None, 2, 3), bias_axes="de"), f32(1, 4, 6)),
    layer("einsum_dense_ellipsis", lambda: L.EinsumDense("...x,xy->...y", 5, activation="gelu"), f32(1, 2, 3, 4)),
    layer("embedding_of_ids", lambda: L.Embedding(11, 4), integers(1, 6, high=11)),
    layer("embedding_mask_zero_averaged", lambda: masked_average(), integers(1, 6, high=3)),
    network("reversible_embedding_tied", lambda x: tied_embedding(x), integers(1, 5, high=9)),
    layer("spectral_normalization", lambda: L.SpectralNormalization(L.Dense(4)), f32(1, 5)),
    layer("time_distributed_conv", lambda: L.TimeDistributed(L.Conv2D(3, 3, padding="same")), f32(1, 4, 6, 6, 2)),
    layer("activity_regularization", lambda: L.ActivityRegularization(l1=0.1), f32(1, 5)),
    layer("lambda_softcap", lambda: L.Lambda(lambda x: 3 * keras.ops.tanh(x / 3)), f32(1, 6, low=-9, high=9)),
]


def enabled_lora(dense):
    dense.build((None, 8))
    dense.enable_lora(2)
    return dense


def masked_average():
    return keras.Sequential([L.Embedding(5, 3, mask_zero=True), L.GlobalAveragePooling1D()])


def tied_embedding(ids):
    table = L.ReversibleEmbedding(9, 4)
    return table(L.LayerNormalization()(table(ids)), reverse=True)


ACTIVATIONS = [activation(name) for name in (
    "elu", "exponential", "gelu", "hard_sigmoid", "hard_silu", "hard_tanh", "celu", "leaky_relu", "log_sigmoid",
    "log_softmax", "mish", "relu6", "selu", "silu", "soft_shrink", "hard_shrink", "softplus", "softsign", "sparse_plus",
    "sparse_sigmoid", "sparsemax", "squareplus", "tanh_shrink")] + [
    layer("relu_with_slope_threshold_and_maximum", lambda: L.ReLU(3.0, 0.1, 0.5), f32(2, 9, low=-4, high=4)),
    layer("prelu_shared_axes", lambda: L.PReLU(shared_axes=[1, 2]), f32(1, 4, 4, 3)),
    layer("elu_alpha", lambda: L.ELU(0.3), f32(1, 9)),
    layer("softmax_over_two_axes", lambda: L.Softmax(axis=(1, 2)), f32(1, 3, 4, 2)),
    network("softmax_with_mask_input", lambda x, y: L.Softmax()(x, mask=y), f32(1, 6), booleans(1, 6)),
    network("gelu_approximate", lambda x: keras.activations.gelu(x, approximate=True), f32(1, 12, low=-3, high=3)),
    network("glu_on_channels", lambda x: keras.activations.glu(x), f32(1, 5, 8)),
]

NORMALISATION = [
    layer("batch_norm_channels_first", lambda: L.BatchNormalization(axis=1), f32(1, 3, 4, 5)),
    layer("batch_norm_no_scale_no_center", lambda: L.BatchNormalization(scale=False, center=False), f32(2, 7)),
    layer("layer_norm_last_axis", lambda: L.LayerNormalization(), f32(1, 5, 8)),
    layer("layer_norm_two_axes", lambda: L.LayerNormalization(axis=[1, 2]), f32(1, 4, 6)),
    layer("layer_norm_no_affine_pb", lambda: L.LayerNormalization(center=False, scale=False), f32(2, 9), form="pb"),
    layer("group_norm", lambda: L.GroupNormalization(4), f32(1, 5, 5, 8)),
    layer("instance_norm_by_groups_of_one", lambda: L.GroupNormalization(-1), f32(1, 6, 6, 3)),
    layer("rms_norm", lambda: L.RMSNormalization(), f32(1, 5, 8)),
    layer("unit_norm_axis_1", lambda: L.UnitNormalization(axis=1), f32(1, 6, 4)),
    layer("batch_norm_synchronized", lambda: L.BatchNormalization(synchronized=False, momentum=0.5), f32(1, 4, 4, 2),
          form="pb"),
]

MERGING = [
    layer("add_three", lambda: L.Add(), f32(1, 5), f32(1, 5), f32(1, 5)),
    layer("subtract_broadcast", lambda: L.Subtract(), f32(1, 4, 3), f32(1, 1, 3)),
    layer("multiply_ranks_differ", lambda: L.Multiply(), f32(2, 4, 3), f32(2, 3)),
    layer("average_two", lambda: L.Average(), f32(1, 6), f32(1, 6)),
    layer("maximum_three", lambda: L.Maximum(), f32(1, 6), f32(1, 6), f32(1, 6)),
    layer("minimum_two", lambda: L.Minimum(), f32(1, 6), f32(1, 6)),
    layer("concatenate_axis_1", lambda: L.Concatenate(axis=1), f32(1, 2, 3), f32(1, 4, 3)),
    layer("dot_normalized", lambda: L.Dot(axes=1, normalize=True), f32(2, 6), f32(2, 6)),
    layer("dot_of_matrices", lambda: L.Dot(axes=(2, 2)), f32(1, 4, 5), f32(1, 3, 5)),
]

RESHAPING = [
    layer("flatten_channels_first", lambda: L.Flatten("channels_first"), f32(1, 3, 4, 2)),
    layer("reshape_inferred", lambda: L.Reshape((-1, 6)), f32(2, 4, 3)),
    layer("permute_three", lambda: L.Permute((3, 1, 2)), f32(1, 2, 3, 4)),
    layer("repeat_vector", lambda: L.RepeatVector(3), f32(2, 5)),
    layer("cropping_1d", lambda: L.Cropping1D((1, 2)), f32(1, 7, 2)),
    layer("cropping_2d_uneven", lambda: L.Cropping2D(((1, 0), (2, 1))), f32(1, 5, 7, 2)),
    layer("cropping_3d", lambda: L.Cropping3D(1), f32(1, 4, 5, 6, 2)),
    layer("zero_padding_1d_causal", lambda: L.ZeroPadding1D((3, 0)), f32(1, 5, 2)),
    layer("zero_padding_2d_uneven", lambda: L.ZeroPadding2D(((0, 1), (2, 3))), f32(1, 4, 4, 2)),
    layer("zero_padding_3d", lambda: L.ZeroPadding3D((1, 0, 2)), f32(1, 2, 3, 2, 2)),
    layer("upsampling_1d", lambda: L.UpSampling1D(3), f32(1, 4, 2)),
    layer("upsampling_2d_bilinear", lambda: L.UpSampling2D((2, 3), interpolation="bilinear"), f32(1, 4, 5, 2)),
    layer("upsampling_2d_bicubic", lambda: L.UpSampling2D(2, interpolation="bicubic"), f32(1, 4, 5, 2)),
    layer("upsampling_2d_lanczos3", lambda: L.UpSampling2D(2, interpolation="lanczos3"), f32(1, 6, 6, 2)),
    layer("upsampling_3d", lambda: L.UpSampling3D(2), f32(1, 2, 3, 2, 2)),
    layer("masking_values", lambda: L.Masking(0.0), integers(1, 4, 2, high=2, dtype="float32")),
    layer("dropout_is_identity", lambda: L.Dropout(0.5), f32(1, 5)),
    layer("gaussian_noise_is_identity", lambda: L.GaussianNoise(0.5), f32(1, 5)),
    layer("alpha_dropout_is_identity", lambda: L.AlphaDropout(0.5), f32(1, 5)),
    layer("spatial_dropout_2d_is_identity", lambda: L.SpatialDropout2D(0.5), f32(1, 3, 3, 2)),
]

POOLING = [
    layer("max_pool_1d_same", lambda: L.MaxPooling1D(3, 2, "same"), f32(1, 8, 3)),
    layer("max_pool_2d_valid_uneven", lambda: L.MaxPooling2D((3, 2), (2, 1)), f32(1, 7, 6, 3)),
    layer("max_pool_2d_channels_first", lambda: L.MaxPooling2D(2, data_format="channels_first"), f32(1, 3, 6, 6)),
    layer("max_pool_3d", lambda: L.MaxPooling3D(2, padding="same"), f32(1, 3, 4, 5, 2)),
    layer("average_pool_1d", lambda: L.AveragePooling1D(2), f32(1, 7, 3)),
    layer("average_pool_2d_same_overlapping", lambda: L.AveragePooling2D(3, 2, "same"), f32(1, 7, 7, 3)),
    layer("average_pool_3d", lambda: L.AveragePooling3D((2, 1, 2)), f32(1, 4, 3, 4, 2)),
    layer("global_average_1d_masked", lambda: keras.Sequential([L.Masking(), L.GlobalAveragePooling1D()]),
          integers(1, 5, 2, high=2, dtype="float32")),
    layer("global_average_2d_keepdims", lambda: L.GlobalAveragePooling2D(keepdims=True), f32(1, 4, 5, 3)),
    layer("global_average_3d", lambda: L.GlobalAveragePooling3D(), f32(1, 2, 3, 4, 3)),
    layer("global_max_1d", lambda: L.GlobalMaxPooling1D(), f32(1, 5, 3)),
    layer("global_max_2d_channels_first", lambda: L.GlobalMaxPooling2D("channels_first"), f32(1, 3, 4, 5)),
    layer("global_max_3d", lambda: L.GlobalMaxPooling3D(), f32(1, 2, 3, 4, 3)),
    layer("adaptive_average_pool_1d", lambda: L.AdaptiveAveragePooling1D(3), f32(1, 7, 2)),
    layer("adaptive_average_pool_2d", lambda: L.AdaptiveAveragePooling2D((3, 2)), f32(1, 7, 5, 2)),
    layer("adaptive_max_pool_2d", lambda: L.AdaptiveMaxPooling2D(3), f32(1, 7, 8, 2)),
    layer("adaptive_max_pool_3d", lambda: L.AdaptiveMaxPooling3D(2), f32(1, 4, 5, 3, 2)),
]

MODELS = DENSE + ACTIVATIONS + NORMALISATION + MERGING + RESHAPING + POOLING
