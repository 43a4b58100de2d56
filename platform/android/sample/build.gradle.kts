// SPDX-License-Identifier: Apache-2.0
plugins {
    id("com.android.application") version "8.7.3"
}

android {
    namespace = "linnet.sample"
    compileSdk = 35
    defaultConfig {
        minSdk = 21
        targetSdk = 35
        versionCode = 1
        versionName = "1"
    }
    androidResources {
        noCompress += "linnet" // plans are mapped where they lie in the APK
    }
}

dependencies {
    implementation("linnet:linnet-android:0.1.0")
}
